/** What a configuration holds of keys and certificates, and where it stands in Base64, however that is broken up. */
import { readFileSync } from 'node:fs'
import type { Configuration } from '../configuration/configuration.ts'
import { type Base64Run, base64Letters } from './base64-contents.ts'
import { inAnyNotation, writtenAt } from './notation.ts'
import { hidden } from './secret-hider.ts'

/** A stretch of letters of a run: from, and up to but not including. */
export type Stretch = readonly [from: number, to: number]

/** Finds known keys and certificates, whole or in part. */
export interface KeyMaterial {
  stretchesIn(run: Base64Run): Stretch[]
}

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
  return {
    stretchesIn({ letters }) {
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
    },
  }
}

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
