/** Invalid credentials that resemble a real one, in ways that deployments were seen to accept. */
import { endLength } from './unknown.ts'

/** `empty`: sent by a client that lost its credential. */
export type Likeness = 'empty' | 'without its end' | 'without its signature' | 'with the end of another'

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
