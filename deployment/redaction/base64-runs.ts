/** Finds what may be Base64 in a text, also where it is broken into lines or its signs are escaped. */
import { writtenAt } from './notation.ts'

/** A stretch of Base64, with `+` and `/` whatever its alphabet, without padding and line breaks. */
export interface Base64Run {
  readonly letters: string
  /** Where that letter begins in the text; for the number of all letters, where the last one ends. */
  placeOf(letter: number): number
  /** Numbers of the letters with which a line begins, the first of them 0. */
  readonly lines: readonly number[]
}

// Too short for an address.
const shortest = 8

/** Letters that stand side by side in the text: the number of the first, and where it begins. */
type Stretch = readonly [letter: number, place: number]

/** The runs of that text, from left to right. */
export function base64Runs(text: string): Base64Run[] {
  const runs: Base64Run[] = []
  let letters = ''
  let stretches: Stretch[] = []
  let lines: number[] = []
  let end = 0
  let newLine = true
  const close = () => {
    if (letters.length >= shortest) runs.push(runOf(letters, stretches, lines, end))
    if (letters !== '') [letters, stretches, lines] = ['', [], []]
    newLine = true
  }
  const take = (start: number, taken: string) => {
    if (newLine) lines.push(letters.length)
    newLine = false
    stretches.push([letters.length, start])
    letters += taken
  }
  for (let at = 0; at < text.length; ) {
    const start = at
    while (alphabet[text.charCodeAt(at)] !== undefined) at += 1
    if (at > start) {
      take(start, inStandardAlphabet(text.slice(start, at)))
      end = at
      continue
    }
    let code = text.charCodeAt(at)
    if (mayEscape(code)) {
      const written = writtenAt(text, at)
      code = written.code
      at = written.end
    } else at += 1
    const letter = alphabet[code]
    if (letter !== undefined) {
      take(start, letter)
      end = at
    } else if (code === 0x0a || code === 0x0d) newLine = true
    else close()
  }
  close()
  return runs
}

function runOf(
  letters: string,
  stretches: readonly Stretch[],
  lines: readonly number[],
  end: number,
): Base64Run {
  const placeOf = (letter: number): number => {
    if (letter === letters.length) return end
    // By halves: a hostile text has as many stretches as letters.
    let from = 0
    for (let to = stretches.length; to - from > 1; ) {
      const middle = (from + to) >> 1
      if ((stretches[middle] as Stretch)[0] <= letter) from = middle
      else to = middle
    }
    const [first, place] = stretches[from] as Stretch
    return place + letter - first
  }
  return { letters, placeOf, lines }
}

const inStandardAlphabet = (letters: string): string =>
  /[-_]/.test(letters) ? letters.replaceAll('-', '+').replaceAll('_', '/') : letters

/** The letters alone, as runs have them. */
export function base64Letters(text: string): string {
  return text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '')
}

const mayEscape = (code: number): boolean => code === 0x25 || code === 0x5c || code === 0x26

/** The letters by their codes. */
const alphabet: string[] = []
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  alphabet[letter.charCodeAt(0)] = letter
}
alphabet[0x2d] = '+'
alphabet[0x5f] = '/'
