/**
 * Whether a text is a URL, alone or relative to a base. `URL.canParse` of Node 20 and 22 answers wrongly for letters beyond
 * ASCII once it has been called some thousand times, so this parses.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base)
    return true
  } catch {
    return false
  }
}
