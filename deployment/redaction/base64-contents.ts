/** Hides Base64 that holds what must not be shown: known keys, DER of keys and certificates, addresses, PEM. */
import { hideAddresses } from './addresses.ts'
import { type Base64Run, base64Runs } from './base64-runs.ts'
import { hidden } from './hidden.ts'
import type { KeyMaterial, Stretch } from './key-material.ts'

// Of ASCII only: by chance it stands in hardly any bytes.
const address = /[A-Za-z0-9._+-]{2,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g
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
  let result = ''
  let kept = 0
  for (const run of base64Runs(text)) {
    const stretches = [
      ...(material?.stretchesIn(run) ?? []),
      ...derIn(run, certificates),
      ...(tells(run.letters) ? [[0, run.letters.length] as const] : []),
    ]
    for (const [from, to] of stretches.sort(([one], [other]) => one - other)) {
      const start = Math.max(kept, run.placeOf(from))
      const end = run.placeOf(to)
      if (end <= start) continue
      result += text.slice(kept, start) + hidden
      kept = end
    }
  }
  return kept === 0 ? text : result + text.slice(kept)
}

/** Whether an address or a PEM block stands in it, wherever in it the Base64 begins. */
function tells(letters: string): boolean {
  if (!mayTell.test(letters)) return false
  return [0, 1, 2, 3].some((offset) => {
    const bytes = Buffer.from(letters.slice(offset), 'base64').toString('latin1')
    if (bytes.includes('-----BEGIN ')) return true
    if (!bytes.includes('@')) return false
    return (bytes.match(address) ?? []).some((found) => hideAddresses(found) !== found)
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
