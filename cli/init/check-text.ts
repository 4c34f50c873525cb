/** Whether the text of a configuration will load, and which environment variables it needs. */
import { parse, parseDocument, visit } from 'yaml'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'

/** Throws a ConfigurationError where it will not load once its variables are set; files and credentials may still come. */
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

/** Their names, each once, in the order of the file; what stands in comments does not count. */
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
