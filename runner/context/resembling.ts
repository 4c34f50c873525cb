/** Credentials that nobody was given and that resemble a real one, in the ways in which deployments were seen to be wrong. */
import { tail } from './unknown.ts'

/** `empty`: a client that lost its credential sends that. */
export type Likeness = 'empty' | 'without its end' | 'without its signature' | 'with the end of another'

/** The share of a credential in one piece that stays, before the end of another. */
const kept = 0.75

/** Three parts with dots between them: header, claims and signature. */
const inThreePieces = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** One piece, so that its end is no name of a node or the like, which a deployment may leave out of account. */
const inOnePiece = /^[\w+/=-]+$/

/** The beginning of what is no name: small and capital letters and digits in one. */
const noName = String.raw`(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]`

/** Two of which the second is no name: claims and signature. */
const inTwoPieces = new RegExp(String.raw`^[\w-]{16,}\.${noName}{16,}$`)

/** A short word, as for the version or the kind, and a secret behind it that is no name. */
const behindItsKind = new RegExp(String.raw`^[A-Za-z]\w{0,7}\.${noName}{24,}$`)

const isAnyOf = (forms: readonly RegExp[], credential: string): boolean =>
  forms.some((form) => form.test(credential))

/** Claims, or a header and claims, and a signature. */
const isSigned = (credential: string): boolean => isAnyOf([inThreePieces, inTwoPieces], credential)

/** A secret of which every character counts. */
const isWhole = (credential: string): boolean =>
  credential.length >= 4 * tail &&
  isAnyOf([inOnePiece, inTwoPieces, behindItsKind, inThreePieces], credential)

/** Where its signature begins, with the dot before it; or its last quarter. */
const endOf = (credential: string): number =>
  isSigned(credential) ? credential.lastIndexOf('.') : Math.floor(credential.length * kept)

/**
 * A credential that resembles a real one. `all`: the credentials of everybody who is known. Undefined where the
 * deployment might be right to accept it, and where no other credential has an end of that form.
 */
export function credentialLike(
  known: string,
  likeness: Likeness,
  all: readonly string[] = [],
): string | undefined {
  if (likeness === 'empty') return ''
  // The very last characters of Base64 may hold bits without a meaning.
  if (likeness === 'without its end') return isWhole(known) ? known.slice(0, -tail) : undefined
  if (likeness === 'without its signature')
    return inThreePieces.test(known) ? known.slice(0, known.lastIndexOf('.') + 1) : undefined
  const other = all.find((each) => lendsItsEnd(each, known))
  if (other === undefined) return undefined
  const made = known.slice(0, endOf(known)) + other.slice(endOf(other))
  return all.includes(made) ? undefined : made
}

/** Whether both are of one form, and neither their beginnings nor their ends are the same: `v4.local` claims nothing. */
function lendsItsEnd(other: string, known: string): boolean {
  if (isSigned(other) !== isSigned(known)) return false
  const alike = isSigned(known) || (isWhole(known) && isWhole(other) && other.length === known.length)
  const [at, from] = [endOf(known), endOf(other)]
  return alike && known.slice(0, at) !== other.slice(0, from) && known.slice(at) !== other.slice(from)
}
