/** Hides PEM blocks: private keys, certificates and whatever else stands between BEGIN and END. */

import { hidden } from './hidden.ts'
import { inAnyNotation, writtenAt } from './notation.ts'

const begin = new RegExp(inAnyNotation('-----BEGIN '), 'gi')
const finish = new RegExp(inAnyNotation('-----END '), 'gi')
const dashes = '-----'
const longestLabel = 70

/**
 * The text with its PEM blocks replaced by their markers, however they are written: all of them, or those that hold
 * private keys. One without an end is hidden to the end of the text, which may have been cut.
 */
export function hidePem(text: string, which: 'all' | 'private'): string {
  let result = ''
  let kept = 0
  begin.lastIndex = 0
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const marker = labelAt(text, begin.lastIndex)
    if (marker === undefined) continue
    const { label, end } = marker
    begin.lastIndex = end
    if (which === 'private' && !/PRIVATE|SECRET/i.test(label)) continue
    finish.lastIndex = end
    const last = finish.exec(text)
    result += `${text.slice(kept, found.index)}${dashes}BEGIN ${label}${dashes} ${hidden}`
    if (last === null) return result
    result += ` ${dashes}END ${label}${dashes}`
    kept = labelAt(text, finish.lastIndex)?.end ?? finish.lastIndex
    begin.lastIndex = kept
  }
  return kept === 0 ? text : result + text.slice(kept)
}

/** The texts between the markers of all blocks of a plain text. */
export function pemBodies(text: string): string[] {
  return [...text.matchAll(/-----BEGIN [^-]+-----(.*?)-----END /gs)].map(([, body]) => body as string)
}

/** What the block is called, and where its marker ends. */
function labelAt(text: string, start: number): { label: string; end: number } | undefined {
  let label = ''
  let at = start
  while (at < text.length && label.length < longestLabel) {
    const { code, end } = writtenAt(text, at)
    label += code === 0x2b ? ' ' : String.fromCharCode(code)
    at = end
    if (label.endsWith(dashes)) {
      const name = label.slice(0, -dashes.length)
      return /^[A-Za-z0-9 .#]+$/.test(name) ? { label: name, end: at } : undefined
    }
  }
  return undefined
}
