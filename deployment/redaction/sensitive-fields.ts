/** Hides what stands in fields that hold secrets by their name: in forms, queries and JSON. */
import { decodeForm } from '../http/form.ts'
import type { Redactor } from './redaction.ts'
import { hidden } from './secret-matcher.ts'

const names =
  'token|password|passwd|pwd|secret|client_?secret|access_?token|refresh_?token|id_?token|api_?key|private_?key|passphrase|credentials?|authorization'
// Where the suite sends certificates that it made up.
const certificateField = 'certificate'
const sensitiveName = new RegExp(`^(?:${names})$`, 'i')
const jsonField = new RegExp(
  `("(?:${names})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\[^]?)*(?:"|$)|[^\\s"{}[\\],]+)`,
  'gi',
)

/** The form of a request with its secret fields and any secret elsewhere hidden; the certificate is a made-up one. */
export function hideFormFields(form: string, redactor: Redactor): string {
  const safe = redactor.madeUp(form).replace(/[^&]+/g, (pair) => {
    return fieldName(pair) === certificateField ? pair : redactor.text(pair)
  })
  return hidePairs(safe, /[^&]+/g, redactor)
}

/** A URL, or a header that may hold one, with its secrets hidden. */
export function hideUrl(url: string, redactor: Redactor): string {
  return hidePairs(redactor.text(url), /[^?#&;]+/g, redactor)
}

// After the text as a whole: a secret may hold what separates fields.
function hidePairs(text: string, pairs: RegExp, redactor: Redactor): string {
  return text.replace(pairs, (pair) =>
    pair.includes('=') && isSecretField(pair, redactor) ? hideValue(pair) : pair,
  )
}

/** Whether the field, as it stands in the form or query, is named like a secret or carries the credential. */
function isSecretField(pair: string, redactor: Redactor): boolean {
  const name = fieldName(pair)
  return sensitiveName.test(name) || carriesCredential(name, redactor)
}

/** The field with *** for its value. */
function hideValue(pair: string): string {
  const equals = pair.indexOf('=')
  return equals < 0 ? pair : `${pair.slice(0, equals)}=${hidden}`
}

/** The decoded name of a field. */
export function fieldName(pair: string): string {
  const encoded = pair.split('=', 1)[0]!
  try {
    return decodeForm(encoded)[0]?.[0] ?? ''
  } catch {
    return encoded
  }
}

/** Whether the configuration puts credentials into a field of that name. */
export function carriesCredential(name: string, { authentication }: Redactor): boolean {
  return (authentication.in === 'form' || authentication.in === 'query') && name === authentication.name
}

/** A JSON body, whole or cut, with its secret fields and any secret elsewhere hidden; other text likewise. */
export function hideJsonFields(json: string, redactor: Redactor): string {
  return redactor.text(json).replace(jsonField, `$1"${hidden}"`)
}
