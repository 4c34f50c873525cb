/** Fills ${NAME} in the texts of a configuration from the environment. */
import { pathOf } from '../../schemas/shown.ts'

/** What stands in a configuration under a path and is wrong there. */
export interface Problem {
  readonly path: string
  readonly text: string
}

export interface Filled {
  readonly value: unknown
  /** Paths of texts that hold something from the environment, with the names of the variables. */
  readonly variables: ReadonlyMap<string, readonly string[]>
  /** One for each text with a variable that is not set, or with a ${ that begins no variable. */
  readonly problems: readonly Problem[]
}

// $${ stands for a plain ${, so that any text can be written.
const reference = /\$\$\{|\$\{([A-Za-z_]\w*)\}|\$\{/g

/** A copy of the value with all variables filled in; keys are left as they are. */
export function fillIn(root: unknown, environment: NodeJS.ProcessEnv): Filled {
  const variables = new Map<string, string[]>()
  const problems: Problem[] = []

  const fillText = (text: string, pointer: string): string => {
    if (!text.includes('${')) return text
    const path = pathOf(root, pointer)
    const names: string[] = []
    const filled = text.replace(reference, (whole, name?: string) => {
      if (whole === '$${') return '${'
      if (name === undefined) {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is this notation that is explained
        problems.push({ path, text: '${ must be followed by NAME}; a plain ${ is written $${' })
        return whole
      }
      names.push(name)
      const value = environment[name]
      if (value === undefined) problems.push({ path, text: `the environment variable ${name} is not set` })
      return value ?? whole
    })
    if (names.length > 0) variables.set(path, names)
    return filled
  }

  const fill = (value: unknown, pointer: string): unknown => {
    if (typeof value === 'string') return fillText(value, pointer)
    if (Array.isArray(value)) return value.map((item, index) => fill(item, `${pointer}/${index}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner, `${pointer}/${escaped(key)}`)]),
    )
  }

  return { value: fill(root, ''), variables, problems }
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
