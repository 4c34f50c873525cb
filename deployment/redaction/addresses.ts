/** Hides e-mail addresses: whoever answers at one may be a real person, unless its domain is reserved for examples. */

import { inAnyNotation, type Written, writtenAt, writtenBefore } from './notation.ts'
import { hiddenAddress } from './secret-hider.ts'

const atSign = new RegExp(`${inAnyNotation('@')}|&(?:amp;){0,4}commat;`, 'gi')

// Longer ones are no addresses; bounds keep the search linear.
const longestLocalPart = 256
const longestDomain = 255

const domain =
  /^[a-z0-9\u0080-\uffff-]+(?:\.[a-z0-9\u0080-\uffff-]+)*\.(?:xn--[a-z0-9-]{2,}|[a-z\u0080-\uffff]{2,})/i
// RFC 2606 and RFC 6761: nobody can have an address there.
const reserved = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i

/** The text with every address in it replaced, however it is written; those at domains for examples remain. */
export function hideAddresses(text: string): string {
  let result = ''
  let kept = 0
  for (const found of text.matchAll(atSign)) {
    const at = found.index
    if (at < kept) continue
    const start = localStart(text, at, kept)
    if (start === at) continue
    const end = domainEnd(text, at + found[0].length)
    if (end < 0) continue
    result += text.slice(kept, start) + hiddenAddress
    kept = end
  }
  return kept === 0 ? text : result + text.slice(kept)
}

/** Where what stands before the @ begins, no further back than `floor`; at the @ where there is no local part. */
function localStart(text: string, at: number, floor: number): number {
  let start = at
  let end = at
  for (let count = 0; count < longestLocalPart && end > floor; count++) {
    const written = writtenBefore(text, end)
    if (written.start < floor) break
    if (isWord(written)) start = written.start
    else if (!isLocalMark(written.code)) return start === at ? quotedStart(text, written, floor) : start
    end = written.start
  }
  return start
}

/** "anna berg"@…: where the quotes begin that end right before the @. */
function quotedStart(text: string, last: Written, floor: number): number {
  if (last.code !== quote) return last.end
  let end = last.start
  for (let count = 0; count < longestLocalPart && end > floor; count++) {
    const written = writtenBefore(text, end)
    if (written.code === quote) return written.start
    end = written.start
  }
  return last.end
}

/** Where the domain that begins there ends; -1 where there is none, or one for examples. */
function domainEnd(text: string, start: number): number {
  const ends: number[] = []
  let letters = ''
  let at = start
  let brackets = false
  while (at < text.length && letters.length < longestDomain) {
    const written = writtenAt(text, at)
    const { code } = written
    // An address may have been cut before the end of its domain is known.
    if (code === ellipsis) return letters === '' ? -1 : at
    if (letters === '' && code === 0x5b) brackets = true
    else if (brackets && code === 0x5d) return letters === '' ? -1 : written.end
    else if (!isWord(written) && code !== 0x2d && code !== 0x2e && !(brackets && code === 0x3a)) break
    if (code !== 0x5b) {
      letters += String.fromCharCode(code)
      ends.push(written.end)
    }
    at = written.end
  }
  const found = domain.exec(letters)?.[0]
  return found === undefined || reserved.test(found) ? -1 : (ends[found.length - 1] as number)
}

const quote = 0x22
const ellipsis = 0x2026

function isWord({ code, escaped }: Written): boolean {
  if (code < 0x80) {
    return (
      (code >= 0x30 && code <= 0x39) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x61 && code <= 0x7a) ||
      code === 0x5f
    )
  }
  // It may be one byte of a character: what was percent-encoded, and headers, which are read byte by byte.
  if (code < 0x100) return escaped || !/[\u00a0«»]/.test(String.fromCharCode(code))
  return !/[\p{Z}\p{P}\p{C}]/u.test(String.fromCharCode(code))
}

// . + - ' ! ~ within a local part; none of them begins one in practice.
const isLocalMark = (code: number): boolean =>
  code === 0x2e || code === 0x2b || code === 0x2d || code === 0x27 || code === 0x21 || code === 0x7e
