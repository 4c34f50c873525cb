/** Breaks long text into lines. */

const lengthOf = (text: string): number => [...text].length

/**
 * The text in lines of at most `width` characters, the first of at most `first`. Breaks at spaces, and within words
 * that are longer than a line. A first word that fits on a full line only leaves the first line empty.
 */
export function wrap(text: string, width: number, first = width): string[] {
  const lines: string[] = []
  let line = ''
  const room = (): number => (lines.length === 0 ? first : width)
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (lengthOf(joined) <= room()) {
      line = joined
      continue
    }
    const wouldFitBelow = lines.length === 0 && lengthOf(word) > first && lengthOf(word) <= width
    if (line !== '' || wouldFitBelow) lines.push(line)
    line = word
    if (lengthOf(line) <= room()) continue
    const characters = [...line]
    let from = 0
    while (characters.length - from > room()) {
      // Measured before the push: the room of the next line may differ.
      const until = from + room()
      lines.push(characters.slice(from, until).join(''))
      from = until
    }
    line = characters.slice(from).join('')
  }
  return [...lines, line]
}
