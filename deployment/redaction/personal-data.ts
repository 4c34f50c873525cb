/** Hides PEM blocks and e-mail addresses, which are recognized by their form. */
import type { Finder, Replacement } from './reading.ts'
import { hidden, hiddenAddress } from './secret-hider.ts'

// As forms write it, a plus sign is a space.
const label = '([A-Za-z0-9 .#+]{1,65})-----'
const blocks = (labels: string): RegExp =>
  new RegExp(`-----BEGIN[ +]${labels}[^]*?(-----END[ +](?:${label})?|$)`, 'gi')
const pem = { all: blocks(label), private: blocks(`(?=[^-]*(?:PRIVATE|SECRET))${label}`) }

/** Hides the content of PEM blocks, all or only private keys. One without an end is hidden to the end of the text. */
const pemFinder =
  (which: keyof typeof pem): Finder =>
  ({ letters, placeOf }) =>
    [...letters.matchAll(pem[which])].map(({ index, 0: block, 1: named = '', 2: end }) => {
      const [begin, finish] = ['BEGIN', 'END'].map(
        (word) => `-----${word} ${named.replaceAll('+', ' ')}-----`,
      )
      const shown = end === '' ? `${begin} ${hidden}` : `${begin} ${hidden} ${finish}`
      return [...placeOf([index, index + block.length]), shown]
    })

// Up to U+00FF it may be one byte of a character: headers are read byte by byte, and what was percent-encoded is as well.
const word = String.raw`(?:[\w\u0080-\u00ff]|(?![\p{Z}\p{P}\p{C}])[\u0100-\uffff])`
// Longer texts are no addresses. The bounds keep the search linear.
const address = new RegExp(
  String.raw`@(?<=("[^"]{0,254}"|${word}(?:${word}|[.+\-'!~]){0,255})@)(?:\[((?:${word}|[-.:]){1,255})\]|((?:${word}|[-.]){1,255}))`,
  'gu',
)
const domain =
  /^[a-z0-9\u0080-\uffff-]+(?:\.[a-z0-9\u0080-\uffff-]+)*\.(?:xn--[a-z0-9-]{2,}|[a-z\u0080-\uffff]{2,})/i
// RFC 2606 and RFC 6761: no person has an address at these domains.
const reserved = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i

/** Hides e-mail addresses, except at domains for examples. */
const findAddresses: Finder = (read) => {
  const letters = read.letters.replace(/[\u00a0«»]/g, ' ')
  return [...letters.matchAll(address)].flatMap(
    ({ index, 0: rest, 1: local = '', 3: host }): Replacement[] => {
      const length = host === undefined ? rest.length : '@'.length + domainLength(letters, index + 1, host)
      if (length === '@'.length) return []
      return [[...read.placeOf([index - local.length, index + length]), hiddenAddress]]
    },
  )
}

/** Length of the domain after the @. 0: there is none, or it is one for examples. */
function domainLength(letters: string, start: number, host: string): number {
  // The text may have been cut in the middle of the domain.
  if (letters[start + host.length] === '…') return host.length
  const found = domain.exec(host)?.[0] ?? ''
  return reserved.test(found) ? 0 : found.length
}

// ASCII only, which random bytes hardly ever form.
const plainAddress = /[\w.+-]{2,64}@((?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})/g

/** Base64 that holds a PEM block or an address, such as a part of a token or a header for Basic authentication. */
const findInBase64: Finder = ({ letters, placeOf }) =>
  [...letters.matchAll(/[\w+/-]{10,}/g)].flatMap(({ index, 0: run }): Replacement[] => {
    // The text before it, such as the segments of a path, may look like Base64 as well.
    const holds = [0, 1, 2, 3].some((offset) => {
      const bytes = Buffer.from(run.slice(offset), 'base64').toString('latin1')
      const addresses = bytes.includes('@') ? [...bytes.matchAll(plainAddress)] : []
      return bytes.includes('-----BEGIN ') || addresses.some(([, host = '']) => !reserved.test(host))
    })
    return holds ? [[...placeOf([index, index + run.length]), hidden]] : []
  })

/** The finders for personal data. `private`: of PEM blocks, only private keys. */
export const personal: Readonly<Record<'all' | 'private', readonly Finder[]>> = {
  all: [pemFinder('all'), findAddresses, findInBase64],
  private: [pemFinder('private'), findAddresses, findInBase64],
}
