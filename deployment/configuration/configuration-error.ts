/** What is wrong with a configuration: all of it at once, in lines for users. */
import { closest, distance } from 'fastest-levenshtein'

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** That it is unknown, which one may be meant, and which ones are known. */
export function unknownKey(key: string, known: readonly string[]): string {
  const list = known.join(', ')
  const nearest = closest(
    key.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  )
  const name = known.find((candidate) => candidate.toLowerCase() === nearest)
  const near = name !== undefined && distance(key.toLowerCase(), nearest) <= Math.max(2, name.length / 2)
  return near ? `unknown; did you mean ${name}? Known are ${list}` : `unknown; known are ${list}`
}

/** What stands in a configuration under a path and is wrong there. */
export interface Problem {
  readonly path: string
  readonly text: string
}

/** The problem of that text there; none where there is no text. */
export const problemAt = (path: string, text: string | undefined): Problem[] =>
  text === undefined ? [] : [{ path, text }]
