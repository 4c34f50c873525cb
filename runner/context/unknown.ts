/** Ids and credentials in the form of real ones, which nobody was given. */
import { numbersFrom } from '../seeds.ts'

/** Ids of nothing. */
export interface MadeUpIds {
  /** A fresh id in the form of a given one that the target has not handed out. */
  readonly unknownLike: (id: string) => string
  /** The same, and never one that anybody has: for what would be lost or spoilt if it were there. */
  readonly nobodysLike: (id: string) => string
  /** Ids of other things, to stand in that place of a path; none of those that something of that kind may have, too. */
  readonly ofAnotherKind: (name: string, ids: readonly string[]) => readonly string[]
  /**
   * The id with another end, with more behind it and without its end, as ids that nobody has; none where something may have
   * one. Not for what must not be spoilt.
   */
  readonly alikeInPart: (id: string) => readonly string[]
}

/** An id, or a credential, of the same form: digits stay digits, letters stay letters of their case, the rest stays. */
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

/** So few possible ids, as a power of two, that one of them may well be the id of something: signs and a count. */
const fewBits = 16

/** So many possible ids, as a power of two, that none is met by chance. */
const enoughBits = 48

/** Whether an id of a thing of one kind can be none of another: numbers may be counted for each kind by itself. */
export const isOfOneKind = (id: string): boolean => /[^\d]/.test(id) && id.length >= 6

/** As `unknownLike`, and longer where so few ids have that form that it might be the id of something. */
export function nobodysLike(id: string, seed: number): string {
  const next = generator(seed ^ 0x5bd1e995)
  let made = unknownLike(id, seed)
  for (let bits = bitsOf(made); bits < enoughBits; bits += Math.log2(10)) made += next(10)
  return made
}

/** Digits alone, or behind what is no part of a number. */
const endsLikeCount = /(?:^|[^0-9a-f])\d{4,}$/i

/** So many zeros in a row are drawn by nobody: a number that counts stands behind them. */
const isPadded = /0{6}/

/**
 * A known id but for its end, with more behind it, without its end, and but for its middle, as for who compares a part of it
 * only; none where that may be the id of something: for a short one, or one that ends like a count.
 */
export function alikeInPart(id: string, seed: number): readonly string[] {
  const [start, end] = [id.slice(0, -tail), id.slice(-tail)]
  if (start.length < 2 * tail || [endsLikeCount, isPadded].some((form) => form.test(id))) return []
  const other = unknownLike(end, seed).slice(0, tail)
  if (other === end) return []
  const otherEnd = drawnToTheEnd.test(id) ? withAnother(id, id.length - 1) : start + other
  return [otherEnd, id + other, start, ...(drawn.test(id) ? [butItsMiddle(id, seed)] : [])]
}

/** So many of them from that one on, and the first again behind the last. */
export const inTurn = <T>(all: readonly T[], from: number, count: number): T[] =>
  all.length === 0
    ? []
    : Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(from + at) % all.length] as T)

const uuid = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`

/** Hexadecimal digits that are no count at their end either: one of them differs, and nothing has that id. */
const drawnToTheEnd = new RegExp(String.raw`^(?:[\da-f]{32}|${uuid})$`, 'i')

/** Digits and letters in one go, or a UUID: no part of it is a word or a date that a deployment may leave out of account. */
const drawn = new RegExp(String.raw`^(?:[\da-z]{16,}|${uuid})$`, 'i')

/** Where its middle is: a letter or a digit. */
function middleOf(text: string): number {
  const half = Math.floor(text.length / 2)
  return half + text.slice(half).search(/[\da-z]/i)
}

function butItsMiddle(id: string, seed: number): string {
  const at = middleOf(id)
  const known = id.charAt(at)
  const other =
    [...unknownLike(known.repeat(8), seed)].find((each) => each !== known) ?? (known === '7' ? '3' : '7')
  return id.slice(0, at) + other + id.slice(at + 1)
}

/** How much of an id is left to chance. */
function bitsOf(id: string): number {
  const having = (form: RegExp): number => id.match(form)?.length ?? 0
  const letters = /[g-z]/i.test(id) ? 26 : 6
  return having(/[0-9]/g) * Math.log2(10) + having(/[a-z]/gi) * Math.log2(letters)
}

/** How many characters of an id, or of a credential, an end is. */
export const tail = 4

/** Hexadecimal digits of which that one is another. */
function withAnother(known: string, at: number): string {
  const other = (Number.parseInt(known.charAt(at), 16) ^ 8).toString(16)
  return known.slice(0, at) + other + known.slice(at + 1)
}

/** Numbers below a bound. */
function generator(seed: number): (below: number) => number {
  const number = numbersFrom(seed)
  return (below) => number() % below
}
