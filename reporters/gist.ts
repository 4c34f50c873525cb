/** What texts have in common that tell of one cause: ids, incident numbers, sizes and times in them are no difference. */

const shortestId = 8
const shortestNumber = 4

/** The text with a mark in place of every such word; HTTP statuses and small counts stay. */
export function gistOf(text: string): string {
  return text
    .replace(/[\w-]+/g, (word) => (isIncidental(word) ? '#' : word))
    .replace(/\b\d{1,3}(?= (?:bytes|ms)\b)/g, '#')
}

const isIncidental = (word: string): boolean =>
  (word.length >= shortestId && /\d/.test(word)) || (word.length >= shortestNumber && /^\d+$/.test(word))
