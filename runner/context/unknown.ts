/** Ids and credentials in the form of real ones, which nobody was given. */
import { numbersFrom } from '../seeds.ts'

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

/** Each of them three times: to ask for it again makes nothing better known. */
export const thrice = (ids: readonly string[]): string[] => ids.flatMap((id) => [id, id, id])

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

export const ofTwo = 'its claims and the signature of another'

/** In what a credential that nobody was given resembles one that somebody was given. */
export type Likeness =
  | 'empty'
  | 'another last character'
  | 'another character in its middle'
  | 'its first three quarters'
  | 'its second half'
  | 'all but its end'
  | 'a suffix'
  | 'a prefix'
  | 'its letters in other case'
  | 'its claims and no signature'
  | typeof ofTwo

/** So many characters are cut off or put behind: the last ones may hold bits that nobody reads. */
const tail = 4

/** Three parts with dots between them: header, claims and signature. */
const signed = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Claims, or a header and claims, and a signature. */
const isSigned = (credential: string): boolean => signed.test(credential) || inTwoPieces.test(credential)

/** What a signed credential claims. */
const claimsOf = (credential: string): string => credential.slice(0, credential.lastIndexOf('.'))

/** Another credential than that one, signed as it is, and neither with the same nor for the same: `v4.local` claims nothing. */
export const signedBeside = (known: string, all: readonly string[]): string | undefined =>
  all.find(
    (other) =>
      isSigned(other) &&
      claimsOf(other) !== claimsOf(known) &&
      !known.endsWith(other.slice(other.lastIndexOf('.'))),
  )

/** One piece, so that its end is no name of a node or the like, which a deployment may leave out of account. */
const inOnePiece = /^[\w+/=-]+$/

/** The beginning of what is no name: small and capital letters and digits in one. */
const noName = String.raw`(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]`

/** Two of which the second is no name: claims and signature. */
const inTwoPieces = new RegExp(String.raw`^[\w-]{16,}\.${noName}{16,}$`)

/** A short word, as for the version or the kind, and a secret behind it that is no name. */
const behindItsKind = new RegExp(String.raw`^[A-Za-z]\w{0,7}\.${noName}{24,}$`)

/** What may be left out of account is a part of these. */
const nearlyWhole: readonly Likeness[] = [
  'another last character',
  'another character in its middle',
  'its first three quarters',
  'all but its end',
  'a suffix',
  'a prefix',
]

/** Whether nobody can have been given what differs so: text that is read as bytes may be the same in other letters. */
export function isOfNobody(likeness: Likeness, known: string): boolean {
  if (likeness === 'its claims and no signature') return signed.test(known)
  if (likeness === ofTwo) return isSigned(known)
  if (nearlyWhole.includes(likeness))
    return (
      known.length >= 4 * tail &&
      [inOnePiece, inTwoPieces, behindItsKind, signed].some((form) => form.test(known))
    )
  if (likeness === 'its letters in other case') return /[g-z]/.test(known) && /[G-Z]/.test(known)
  return true
}

/** A credential with that of a known one; the rest is made up, or of another one, and never what it was. */
export function credentialWith(likeness: Likeness, known: string, seed: number, another = ''): string {
  if (likeness === 'empty') return ''
  if (likeness === 'all but its end') return known.slice(0, -tail)
  if (likeness === 'a suffix') return known + 'x7Qk'.slice(0, tail)
  if (likeness === 'a prefix') return 'x7Qk'.slice(0, tail) + known
  if (likeness === 'its claims and no signature') return known.slice(0, known.lastIndexOf('.') + 1)
  if (likeness === ofTwo) return claimsOf(known) + another.slice(another.lastIndexOf('.'))
  if (likeness === 'its letters in other case')
    return known.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
  if (likeness === 'another last character') return withAnother(known, known.search(/[a-z0-9][^a-z0-9]*$/i))
  if (likeness === 'another character in its middle') return withAnother(known, middleOf(known))
  const middle = Math.floor(known.length * (likeness === 'its first three quarters' ? 0.75 : 0.5))
  const [first, second] = [known.slice(0, middle), known.slice(middle)]
  return likeness === 'its second half'
    ? unknownLike(first, seed) + second
    : first + unknownLike(second, seed)
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Of that character another bit is changed: in Base64 the first of its six, since the last ones of the last may mean nothing. */
function withAnother(known: string, at: number): string {
  const last = known.charAt(at)
  const digit = base64Digits.indexOf(last)
  const other = /^[0-9a-f]+$/i.test(known)
    ? (Number.parseInt(last, 16) ^ 8).toString(16)
    : // The last two of the 64 characters differ from kind to kind.
      base64Digits.charAt(digit ^ 32) || base64Digits.charAt(digit ^ 48)
  return known.slice(0, at) + other + known.slice(at + 1)
}

/** Numbers below a bound. */
function generator(seed: number): (below: number) => number {
  const number = numbersFrom(seed)
  return (below) => number() % below
}
