/** Ids, names and credentials in the form of known ones, which do not exist. Pure. */
import { numbersFrom } from '../seeds.ts'

/** `empty`: sent by a client that lost its credential. */
export type Likeness = 'empty' | 'without its end' | 'without its signature' | 'with the end of another'

/** The length of the end of an id or credential. */
const endLength = 4

/** An id or credential of the same form: digits stay digits, and letters stay letters of the same case. */
export function unknownLike(id: string, seed: number): string {
  const next = generator(seed)
  const hexadecimal = /^[0-9a-f-]+$/i.test(id) && /[a-f]/i.test(id)
  const made = [...id].map((character, at) => {
    if (/[0-9]/.test(character)) return at === 0 && character !== '0' ? String(1 + next(9)) : String(next(10))
    if (/[a-z]/.test(character)) return String.fromCharCode(97 + next(hexadecimal ? 6 : 26))
    if (/[A-Z]/.test(character)) return String.fromCharCode(65 + next(hexadecimal ? 6 : 26))
    return character
  })
  const unknown = made.join('')
  const isFew = unknown === id || id.length < 6 || bitsOf(unknown) < fewBits
  return isFew ? `${unknown}${1000 + next(9000)}` : unknown
}

/** With fewer possible ids (as a power of two), a made-up one may well exist. */
const fewBits = 16

/** With this many possible ids (as a power of two), none exists by chance. */
const enoughBits = 48

/** Like `unknownLike`, but longer if few ids have that form. */
export function nobodysLike(id: string, seed: number): string {
  const next = generator(seed ^ 0x5bd1e995)
  let made = unknownLike(id, seed)
  for (let bits = bitsOf(made); bits < enoughBits; bits += Math.log2(10)) made += next(10)
  return made
}

/** Ends with a number. */
const endsLikeCount = /(?:^|[^0-9a-f])\d{4,}$/i

/** Zeros that pad a counter, because random ids have no such run. */
const isPadded = /0{6}/

/**
 * Variants of a known id: with another end, with more at the end, without its end, with another middle, with another
 * beginning. They find servers that compare only a part of an id. None if a variant may exist, as for short ids and
 * counters. Quick runs send the last two.
 */
export function partlyResembling(id: string, seed: number): readonly string[] {
  const [start, end] = [id.slice(0, -endLength), id.slice(-endLength)]
  if (start.length < 2 * endLength || [endsLikeCount, isPadded].some((form) => form.test(id))) return []
  const other = unknownLike(end, seed).slice(0, endLength)
  if (other === end) return []
  const otherEnd = randomToTheEnd.test(id) ? withOtherHexDigit(id, id.length - 1) : start + other
  const within = random.test(id) ? [withOneChanged(id, middleOf(id), seed), withOneChanged(id, 0, seed)] : []
  return [otherEnd, id + other, start, ...within]
}

/**
 * Unused names that resemble a known one: with another end, with more at the end, with another beginning, with another
 * middle. A short name gets only more at the end. Quick runs send the last two.
 */
export function namesLike(name: string, seed: number): readonly string[] {
  const [one, two, three, more] = [0, 1, 2, 3].map((at) => unknownLike('abcdefgh', seed + at)) as [
    string,
    string,
    string,
    string,
  ]
  if (name.length < 2 * endLength) return [name + more]
  const half = Math.floor((name.length - endLength) / 2)
  return [
    name.slice(0, -endLength) + one.slice(0, endLength),
    name + more,
    two.slice(0, endLength) + name.slice(endLength),
    name.slice(0, half) + three.slice(0, endLength) + name.slice(half + endLength),
  ]
}

const uuid = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`

/** Random hexadecimal ids without a counter at the end: with one digit changed, nothing has the id. */
const randomToTheEnd = new RegExp(String.raw`^(?:[\da-f]{32}|${uuid})$`, 'i')

/** Random ids, in which no part is a word or a date that a deployment may ignore. */
const random = new RegExp(String.raw`^(?:[\da-z]{16,}|${uuid})$`, 'i')

/** The position of a letter or digit in the middle. */
function middleOf(text: string): number {
  const half = Math.floor(text.length / 2)
  return half + text.slice(half).search(/[\da-z]/i)
}

function withOneChanged(id: string, at: number, seed: number): string {
  const known = id.charAt(at)
  const other =
    [...unknownLike(known.repeat(8), seed)].find((each) => each !== known) ?? (known === '7' ? '3' : '7')
  return id.slice(0, at) + other + id.slice(at + 1)
}

/** How many bits of an id are random. */
function bitsOf(id: string): number {
  const having = (form: RegExp): number => id.match(form)?.length ?? 0
  const letters = /[g-z]/i.test(id) ? 26 : 6
  return having(/[0-9]/g) * Math.log2(10) + having(/[a-z]/gi) * Math.log2(letters)
}

/** The id with another hexadecimal digit at that position. */
function withOtherHexDigit(known: string, at: number): string {
  const other = (Number.parseInt(known.charAt(at), 16) ^ 8).toString(16)
  return known.slice(0, at) + other + known.slice(at + 1)
}

/** Numbers below a bound. */
function generator(seed: number): (below: number) => number {
  const number = numbersFrom(seed)
  return (below) => number() % below
}

/** The share of an unstructured credential that is kept before another's end. */
const keptShare = 0.75

/** Header, claims and signature. */
const inThreePieces = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Unstructured, so that its end is no node name that a deployment may ignore. */
const inOnePiece = /^[\w+/=-]+$/

/** The beginning of a random part: with lower-case and upper-case letters and digits. */
const randomBeginning = String.raw`(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]`

/** Claims and a random signature. */
const inTwoPieces = new RegExp(String.raw`^[\w-]{16,}\.${randomBeginning}{16,}$`)

/** A short version or kind, then a random secret. */
const behindItsKind = new RegExp(String.raw`^[A-Za-z]\w{0,7}\.${randomBeginning}{24,}$`)

const isAnyOf = (forms: readonly RegExp[], credential: string): boolean =>
  forms.some((form) => form.test(credential))

/** Whether the credential has claims and a signature. */
const isSigned = (credential: string): boolean => isAnyOf([inThreePieces, inTwoPieces], credential)

/** Whether every character of the credential counts. */
const everyCharacterCounts = (credential: string): boolean =>
  credential.length >= 4 * endLength &&
  isAnyOf([inOnePiece, inTwoPieces, behindItsKind, inThreePieces], credential)

/** Where the signature begins, including its dot; otherwise the last quarter. */
const endOf = (credential: string): number =>
  isSigned(credential) ? credential.lastIndexOf('.') : Math.floor(credential.length * keptShare)

/**
 * A credential that resembles a real one. `all`: all known credentials. Undefined if the deployment might rightly
 * accept it, or if no other credential has an end of that form.
 */
export function credentialLike(
  known: string,
  likeness: Likeness,
  all: readonly string[] = [],
): string | undefined {
  if (likeness === 'empty') return ''
  // The last characters of Base64 may contain unused bits.
  if (likeness === 'without its end')
    return everyCharacterCounts(known) ? known.slice(0, -endLength) : undefined
  if (likeness === 'without its signature')
    return inThreePieces.test(known) ? known.slice(0, known.lastIndexOf('.') + 1) : undefined
  const other = all.find((each) => lendsItsEnd(each, known))
  if (other === undefined) return undefined
  const made = known.slice(0, endOf(known)) + other.slice(endOf(other))
  return all.includes(made) ? undefined : made
}

/**
 * Whether both have the same form, and both their beginnings and their ends differ. `v4.local`, for example, is no
 * claim.
 */
function lendsItsEnd(other: string, known: string): boolean {
  if (isSigned(other) !== isSigned(known)) return false
  const fits =
    isSigned(known) ||
    (everyCharacterCounts(known) && everyCharacterCounts(other) && other.length === known.length)
  const [at, from] = [endOf(known), endOf(other)]
  return fits && known.slice(0, at) !== other.slice(0, from) && known.slice(at) !== other.slice(from)
}
