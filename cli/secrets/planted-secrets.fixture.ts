/** Secrets that tests plant in answers and files, and a search for these secrets in output. */
import { generateKeyPairSync } from 'node:crypto'
import { authority, forClient, privateKey } from '../../deployment/http/certificates.fixture.ts'
import { notations } from '../../deployment/redaction/notations.fixture.ts'

/** The domain of all email addresses. */
export const realDomain = 'stadt-amt.de'

export const addresses = {
  inAnswers: `anna.berg@${realDomain}`,
  inHeaders: `admin+portal@${realDomain}`,
  inErrors: `hilfe@mail.${realDomain}`,
  ofProvider: `fixtures@${realDomain}`,
  inPath: `ordner@${realDomain}`,
}

/** A private key and a certificate that the portal and the provider leak. */
export const leaked = {
  key: generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey,
  certificate: authority,
}

/** The TLS files of the configuration. */
export const configured = { key: privateKey, cert: forClient, ca: authority }

/** The names of planted secrets that the text contains, in any notation. */
export function secretsIn(text: string, credentials: readonly string[]): string[] {
  return forms(credentials)
    .filter(({ form }) => text.includes(form))
    .map(({ name }) => name)
}

interface Form {
  readonly name: string
  readonly form: string
}

let known: { readonly key: string; readonly forms: readonly Form[] } | undefined

function forms(credentials: readonly string[]): readonly Form[] {
  const key = credentials.join('\n')
  if (known?.key === key) return known.forms
  const plain: [string, string][] = [
    ...credentials.map((credential, at): [string, string] => [`credential ${at}`, credential]),
    ...Object.entries(addresses),
    ['domain', `@${realDomain}`],
    ...[leaked.key, leaked.certificate, configured.key, configured.cert].flatMap((pem, at) =>
      // Whole lines, and parts of the text without its line breaks.
      [...linesOf(pem), ...partsOf(pem)].map((part): [string, string] => [`PEM ${at}`, part]),
    ),
  ]
  const all = plain.flatMap(([name, secret]) => [
    ...Object.entries(notations).map(([how, write]) => ({ name: `${name} ${how}`, form: write(secret) })),
    ...base64Of(secret).map((form) => ({ name: `${name} in Base64`, form })),
  ])
  known = { key, forms: [...new Map(all.map((each) => [each.form, each])).values()] }
  return known.forms
}

/** The first, a middle and the last part. */
const some = (parts: readonly string[]): string[] =>
  [0, Math.floor(parts.length / 2), parts.length - 1].map((at) => parts[at] as string)

const bodyOf = (pem: string): string => pem.replace(/-----[^-]+-----/g, '').trim()
const linesOf = (pem: string): string[] =>
  some(
    bodyOf(pem)
      .split('\n')
      .filter((line) => line.length > 30),
  )
const partsOf = (pem: string): string[] => some(bodyOf(pem).replaceAll('\n', '').match(/.{40}/g) ?? [])

/** The secret in Base64 for each offset within a group, in both alphabets. */
function base64Of(secret: string): string[] {
  return [0, 1, 2]
    .flatMap((offset) => {
      const bytes = Buffer.from(`${'-'.repeat(offset)}${secret}`)
      return (['base64', 'base64url'] as const).map((encoding) =>
        bytes.toString(encoding).slice(offset === 0 ? 0 : 4, -4),
      )
    })
    .filter((form) => form.length >= 8)
}
