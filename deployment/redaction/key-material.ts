/** Hides keys, certificates and addresses of people, in PEM blocks and within Base64, however that is broken up. */
import { readFileSync } from 'node:fs'
import type { Configuration } from '../configuration/configuration.ts'
import {
  hidden,
  hiddenAddress,
  type Replacement,
  reading,
  type Stretch,
  withReplacements,
} from './secret-hider.ts'

/** Finds known keys and certificates in a run, whole or in part. */
export type KeyMaterial = (run: Base64Run) => Stretch[]

// Any part of twice this length, less one, is found.
const gram = 8

/** The contents of the TLS files of a configuration and the PEM blocks among its texts. */
export function keyMaterialOf({ http, contract, ...others }: Configuration): KeyMaterial | undefined {
  const contents = [http.key, http.cert, http.ca].flatMap((file) => contentOf(file))
  // Markers alone say how this deployment wants certificates.
  const { federation: { certificateMarkers: _, ...federation } = {}, ...settled } = contract
  const texts = textsIn({ http, federation, settled, others }).filter((text) => text.includes('-----BEGIN '))
  const bodies = [...contents, ...texts].flatMap((text) => pemBodies(text).map(base64Letters))
  const encoded = contents.flatMap((text) => [0, 1, 2].map((offset) => withinBase64(text, offset)))
  const all = [...bodies, ...encoded].filter((letters) => letters.length >= 2 * gram)
  return all.length === 0 ? undefined : searched([...new Set(all)])
}

function contentOf(file: string | undefined): string[] {
  if (file === undefined) return []
  try {
    return [readFileSync(file, 'utf8')]
  } catch {
    // Who opens the connection says that it cannot be read.
    return []
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** The text in Base64, without the letters at its edges, which also hold bits of what stands beside it. */
function withinBase64(text: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString('base64')
  return base64Letters(encoded).slice(4, -4)
}

function searched(materials: readonly string[]): KeyMaterial {
  // A sign that is no letter keeps them apart.
  const all = materials.join('\n')
  const known = new Map<string, number>()
  for (let at = 0; at + gram <= all.length; at += gram) {
    const letters = all.slice(at, at + gram)
    // Such stand in what is no key as well.
    if (!/^(.)\1*$/.test(letters)) known.set(letters, at)
  }
  return ({ letters }) => {
    const found: Stretch[] = []
    for (let at = 0; at + gram <= letters.length; at++) {
      const place = known.get(letters.slice(at, at + gram))
      if (place === undefined) continue
      let from = at
      let to = at + gram
      const floor = found.at(-1)?.[1] ?? 0
      while (from > floor && letters[from - 1] === all[place - (at - from) - 1]) from--
      while (to < letters.length && letters[to] === all[place + (to - at)]) to++
      found.push([from, to])
      at = to - 1
    }
    return found
  }
}

const dashes = '-----'
// As forms write it, a plus sign stands for a space.
const label = '([A-Za-z0-9 .#+]{1,65})-----'
const blocks = (labels: string): RegExp =>
  new RegExp(`-----BEGIN[ +]${labels}[^]*?(-----END[ +](?:${label})?|$)`, 'gi')
const pem = { all: blocks(label), private: blocks(`(?=[^-]*(?:PRIVATE|SECRET))${label}`) }

/**
 * The text with its PEM blocks replaced by their markers, however they are written: all of them, or those that hold
 * private keys. One without an end is hidden to the end of the text, which may have been cut.
 */
export function hidePem(text: string, which: 'all' | 'private'): string {
  const { letters, placeOf } = reading(text)
  const found = [...letters.matchAll(pem[which])].map(({ index, 0: block, 1: named = '', 2: end }) => {
    const [begin, finish] = ['BEGIN', 'END'].map(
      (word) => `${dashes}${word} ${named.replaceAll('+', ' ')}${dashes}`,
    )
    const shown = end === '' ? `${begin} ${hidden}` : `${begin} ${hidden} ${finish}`
    return [...placeOf([index, index + block.length]), shown] as Replacement
  })
  return withReplacements(text, found)
}

/** The texts between the markers of all blocks of a plain text. */
export function pemBodies(text: string): string[] {
  return [...text.matchAll(/-----BEGIN [^-]+-----(.*?)-----END /gs)].map(([, body]) => body as string)
}

// Of ASCII only: by chance it stands in hardly any bytes.
const plainAddress = /[A-Za-z0-9._+-]{2,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g
// Letters that stand for -----BEGIN or @ among others, wherever in them the Base64 begins: all that tells has them.
const mayTell = /LS0t|Q[A-P]|[EUk0][A-D]|[BFJNRVZdhlptx159]A/
// The letter with which the tag of a structure begins.
const tagLetter = 'M'
// What is smaller holds neither a key nor a certificate.
const smallestDer = 60

/** The text with such Base64 replaced. `certificates`: also certificates in DER that are not known. */
export function hideBase64(
  text: string,
  { material, certificates }: { material: KeyMaterial | undefined; certificates: boolean },
): string {
  const { letters, placeOf } = reading(text)
  const found = base64Runs(letters).flatMap((run) =>
    [
      ...(material?.(run) ?? []),
      ...derIn(run, certificates),
      ...(tells(run.letters) ? [[0, run.letters.length] as const] : []),
    ].map((stretch) => [...placeOf(run.placeOf(stretch)), hidden] as Replacement),
  )
  return withReplacements(text, found)
}

/** Whether an address or a PEM block stands in it, wherever in it the Base64 begins. */
function tells(letters: string): boolean {
  if (!mayTell.test(letters)) return false
  return [0, 1, 2, 3].some((offset) => {
    const bytes = Buffer.from(letters.slice(offset), 'base64').toString('latin1')
    if (bytes.includes('-----BEGIN ')) return true
    if (!bytes.includes('@')) return false
    return (bytes.match(plainAddress) ?? []).some((found) => hideAddresses(found) !== found)
  })
}

/** Keys, and certificates where asked for, in DER: each begins a line. */
function derIn({ letters, lines }: Base64Run, certificates: boolean): Stretch[] {
  const found: Stretch[] = []
  for (const from of lines) {
    if (letters[from] !== tagLetter || from < (found.at(-1)?.[1] ?? 0)) continue
    const size = derSize(Buffer.from(letters.slice(from, from + 16), 'base64'), certificates)
    if (size > 0) found.push([from, Math.min(letters.length, from + Math.ceil((size * 4) / 3))])
  }
  return found
}

/** The size in bytes of the structure that begins so; 0 where it is neither a key nor a certificate. */
function derSize(bytes: Buffer, certificates: boolean): number {
  const [tag, length = 0, high = 0, low = 0] = bytes
  if (tag !== 0x30) return 0
  const [head, size] = length < 0x80 ? [2, length] : length === 0x81 ? [3, high] : [4, high * 256 + low]
  if (length === 0x80 || length > 0x82 || size < smallestDer) return 0
  const [first, second, third] = bytes.subarray(head)
  // A key begins with its version, a small number; a certificate with a sequence.
  const isKey = first === 0x02 && second === 0x01 && third !== undefined && third <= 3
  return isKey || (certificates && first === 0x30) ? head + size : 0
}

/** A stretch of Base64, with `+` and `/` whatever its alphabet, without padding and line breaks. */
interface Base64Run {
  readonly letters: string
  /** Numbers of the letters with which a line begins, the first of them 0. */
  readonly lines: readonly number[]
  /** Where such letters stand in what the runs were found in. */
  placeOf(letters: Stretch): Stretch
}

// Too short for an address.
const shortest = 8
const runs = /[\w+/-]+(?:[\r\n]+[\w+/-]+)*/g

/** The runs of what a text stands for, from left to right. */
function base64Runs(text: string): Base64Run[] {
  return [...text.matchAll(runs)].flatMap(({ index, 0: found }) => {
    if (found.length < shortest) return []
    const letters = base64Letters(found)
    // Where each line begins: the number of its first letter, and its place.
    const lines: Stretch[] = []
    let before = 0
    for (const { index: at, 0: line } of found.matchAll(/[^\r\n]+/g)) {
      lines.push([before, index + at])
      before += line.length
    }
    const place = (letter: number): number => {
      const [first, start] = lines.findLast(([first]) => first <= letter) as Stretch
      return start + letter - first
    }
    return [
      {
        letters,
        lines: lines.map(([first]) => first),
        placeOf: ([from, to]) => [place(from), place(to - 1) + 1],
      },
    ]
  })
}

const inStandardAlphabet = (letters: string): string =>
  /[-_]/.test(letters) ? letters.replaceAll('-', '+').replaceAll('_', '/') : letters

/** The letters alone, as runs have them. */
const base64Letters = (text: string): string => inStandardAlphabet(text).replace(/[^A-Za-z0-9+/]/g, '')

// Up to U+00FF it may be one byte of a character: headers are read byte by byte, and what was percent-encoded is as well.
const word = String.raw`(?:[\w\u0080-\u00ff]|(?![\p{Z}\p{P}\p{C}])[\u0100-\uffff])`
// Longer ones are no addresses; bounds keep the search linear. No mark begins one in practice.
const address = new RegExp(
  String.raw`@(?<=("[^"]{0,254}"|${word}(?:${word}|[.+\-'!~]){0,255})@)(?:\[((?:${word}|[-.:]){1,255})\]|((?:${word}|[-.]){1,255}))`,
  'gu',
)
const domain =
  /^[a-z0-9\u0080-\uffff-]+(?:\.[a-z0-9\u0080-\uffff-]+)*\.(?:xn--[a-z0-9-]{2,}|[a-z\u0080-\uffff]{2,})/i
// RFC 2606 and RFC 6761: nobody can have an address there.
const reserved = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i

/**
 * The text with every e-mail address in it replaced, however it is written: whoever answers at one may be a real person.
 * Those at domains for examples remain.
 */
export function hideAddresses(text: string): string {
  const { letters, placeOf } = reading(text.replace(/[\u00a0«»]/g, ' '))
  const found = [...letters.matchAll(address)].flatMap(({ index, 0: rest, 1: local = '', 3: host }) => {
    const length = host === undefined ? rest.length : '@'.length + domainLength(letters, index + 1, host)
    if (length === '@'.length) return []
    return [[...placeOf([index - local.length, index + length]), hiddenAddress] as Replacement]
  })
  return withReplacements(text, found)
}

/** How many letters of what stands behind the @ are a domain; 0 where none is, or one for examples. */
function domainLength(letters: string, start: number, host: string): number {
  // An address may have been cut before the end of its domain is known.
  if (letters[start + host.length] === '…') return host.length
  const found = domain.exec(host)?.[0] ?? ''
  return reserved.test(found) ? 0 : found.length
}
