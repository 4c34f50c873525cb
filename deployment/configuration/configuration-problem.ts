/** What is wrong in a configuration, and where. */

/** What stands in a configuration under a path and is wrong there. */
export interface Problem {
  readonly path: string
  readonly text: string
}

/** The problem of that text there; none where there is no text. */
export const problemAt = (path: string, text: string | undefined): Problem[] =>
  text === undefined ? [] : [{ path, text }]
