/** The problems of a configuration, all at once, in lines for users. */
import { closest, distance } from 'fastest-levenshtein'
import { textAt } from '../../schemas/values.ts'

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reports an unknown key, with the nearest known key and all known ones. */
export function unknownKey(key: string, known: readonly string[]): string {
  const list = known.join(', ')
  const [given, ...names] = [key, ...known].map((name) => name.toLowerCase()) as [string, ...string[]]
  const beginning = given.length > 2 ? names.find((name) => name.startsWith(given)) : undefined
  const nearest = beginning ?? closest(given, names)
  const name = known[names.indexOf(nearest)]
  const near =
    beginning !== undefined ||
    (name !== undefined && distance(given, nearest) <= Math.max(2, name.length / 2))
  return near ? `unknown; did you mean ${name}? Known are ${list}` : `unknown; known are ${list}`
}

/** A problem, and the path in the configuration where it is. */
export interface Problem {
  readonly path: string
  readonly text: string
}

/** A problem with that text at the path; none without a text. */
export const problemAt = (path: string, text: string | undefined): Problem[] =>
  text === undefined ? [] : [{ path, text }]

/** The problems of the texts in these places, by the rule that says what is wrong with a text. */
export const problemsIn = (
  value: unknown,
  places: readonly (readonly string[])[],
  rule: (text: string, key: string | undefined) => string | undefined,
): Problem[] =>
  places.flatMap((keys) => {
    const text = textAt(value, ...keys)
    return text === undefined ? [] : problemAt(keys.join('.'), rule(text, keys.at(-1)))
  })
