/** Whether a configuration will load, and which environment variables it needs. */
import { parse, parseDocument, visit } from 'yaml'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'

/** Throws a ConfigurationError if the configuration will not load when its variables are set. Files may still be missing. */
export function refuseWrong(text: string, name: string, environment: NodeJS.ProcessEnv): void {
  const standIns = Object.fromEntries(variablesIn(text).map((each) => [each, standIn(each)]))
  try {
    loadConfiguration({ value: parse(text), name }, {}, { ...standIns, ...environment })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const problems = error.problems.filter((problem) => !problem.endsWith('cannot be read'))
    if (problems.length > 0) throw new ConfigurationError(problems)
  }
}

const standIn = (variable: string): string =>
  variable === 'PORTAL_BASE_URL' ? 'https://portal.example.com/rest' : 'stand-in'

/** The names of the variables, each once, in the order of the file. Comments do not count. */
export function variablesIn(text: string): string[] {
  const names = new Set<string>()
  visit(parseDocument(text), {
    Scalar: (_, { value }) => {
      if (typeof value !== 'string') return
      for (const [, name] of value.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)) names.add(name as string)
    },
  })
  return [...names]
}
