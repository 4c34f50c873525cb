/** Finds what may be Base64 in a text, also where it is broken into lines or its signs are escaped. */
import { writtenAt } from './notation.ts'

/** A stretch of Base64, with `+` and `/` whatever its alphabet, without padding and line breaks. */
export interface Base64Run {
  readonly letters: string
  /** Where each letter begins in the text, and behind them where the last one ends. */
  readonly places: readonly number[]
  /** Numbers of the letters with which a line begins, the first of them 0. */
  readonly lines: readonly number[]
}

// Too short for an address.
const shortest = 8

/** The runs of that text, from left to right. */
export function base64Runs(text: string): Base64Run[] {
  const runs: Base64Run[] = []
  let letters = ''
  let places: number[] = []
  let lines: number[] = []
  let end = 0
  let newLine = true
  const close = () => {
    if (letters.length >= shortest) runs.push({ letters, places: [...places, end], lines })
    if (letters !== '') [letters, places, lines] = ['', [], []]
    newLine = true
  }
  for (let at = 0; at < text.length; ) {
    const start = at
    let code = text.charCodeAt(at)
    if (mayEscape(code)) {
      const written = writtenAt(text, at)
      code = written.code
      at = written.end
    } else at += 1
    const letter = alphabet[code]
    if (letter !== undefined) {
      if (newLine) lines.push(letters.length)
      newLine = false
      letters += letter
      places.push(start)
      end = at
    } else if (code === 0x0a || code === 0x0d) newLine = true
    else close()
  }
  close()
  return runs
}

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
