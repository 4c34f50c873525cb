/** Texts as words of a POSIX shell. */

/** One word, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
