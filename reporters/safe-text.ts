/** Text from a target may hold what a terminal obeys, or what misleads a reader: nothing of that kind gets through. */

// Controls, formatting (direction marks above all), line and paragraph separators, halves of surrogate pairs.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** The text on one line, with what could mislead a terminal or its reader as escapes such as `\u{1b}`. */
export function safeText(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`)
}

/** The lines of a text, each of them safe; a tab counts as two spaces. */
export function safeLines(text: string): string[] {
  return text.split(/\r\n|\n/).map((line) => safeText(line.replaceAll('\t', '  ')))
}
