/** Realistic values from faker, by the hint that a request schema gives; and further ordinary ones in other scripts. */
import { faker } from '@faker-js/faker/locale/en'
import fc from 'fast-check'

const given = [
  'José',
  'Zoë',
  'Søren',
  'Łukasz',
  'Anaïs',
  'Юлия',
  'Αθηνά',
  'דוד',
  'محمد',
  '美咲',
  '지우',
  'प्रिया',
  "D'Arcy",
  'Jean-Luc',
  'Mary Ann',
  'Ng',
  'O',
]
const family = [
  "O'Neill",
  'Müller',
  'Škvorecký',
  'de la Cruz',
  'Иванова',
  'Παπαδόπουλος',
  'כהן',
  'الخطيب',
  '山田',
  '김',
  'शर्मा',
  'Smith-Jones',
  'van der Berg',
  'Li',
]
const addresses = [
  'user+tag@example.com',
  'first.last@example.org',
  'a@example.com',
  "o'neill@example.org",
  'user_name@mail.example.com',
  'x-y.z+1@sub.example.org',
  '007@example.net',
]

/** Contacts that hold each of these names and addresses once: every run judges all of them. */
export const ordinaryContacts = given.map((contactFirstname, at) => ({
  contactFirstname,
  contactLastname: family[at % family.length] as string,
  contactEmailAddress: addresses[at % addresses.length] as string,
}))

/** Base64 of made-up bytes in one line of letters and digits: plain in every encoding. */
const plainCertificate = (): string =>
  faker.string.alphanumeric({ length: { min: 30, max: 60 } }).padEnd(64, 'A')

/** Base64 as certificates come: with + and / and padding, in lines of 64 characters. */
export const delicateCertificate: fc.Arbitrary<string> = fc
  .uint8Array({ minLength: 30, maxLength: 70, size: 'max' })
  // The first bytes are + and / in Base64; the length leaves padding.
  .map((bytes) =>
    Buffer.from([0xfb, 0xff, 0xfe, ...[...bytes].flatMap((byte) => [byte, byte ^ 0x5a, 0xbf]), 0x01]),
  )
  .map((bytes) => bytes.toString('base64').replace(/(.{64})(?=.)/g, '$1\n'))

/** Base64 of so many bytes that it begins with + and / and ends with as much padding as asked for, in lines of 64. */
function certificateOf(bytes: number, padding: 0 | 1 | 2, lineBreak = '\n'): string {
  const length = bytes - (bytes % 3) + ((3 - padding) % 3)
  const content = Buffer.from(Array.from({ length }, (_, at) => [0xfb, 0xff, 0xfe][at] ?? (at * 89) % 256))
  return content.toString('base64').replace(/(.{64})(?=.)/g, `$1${lineBreak}`)
}

/** Certificates that no run may miss: of the usual size, with either line break, with each padding. */
export const usualCertificates: readonly string[] = [
  certificateOf(1800, 0),
  certificateOf(900, 1),
  certificateOf(150, 2, '\r\n'),
  certificateOf(300, 1, '\r\n'),
]

const makers: Readonly<Record<string, () => string>> = {
  title: () => faker.company.catchPhrase(),
  sentence: () => faker.lorem.sentence(),
  result: () => faker.lorem.sentences({ min: 1, max: 3 }),
  'first-name': () => faker.person.firstName(),
  'last-name': () => faker.person.lastName(),
  email: () => faker.internet.email({ provider: 'example.com' }),
  url: () => `https://${faker.internet.domainWord()}.example.org/${faker.lorem.slug()}`,
  certificate: plainCertificate,
  'entity-id': () => `https://${faker.internet.domainWord()}.example.org/${faker.string.alphanumeric(12)}`,
  'folder-name': () => faker.commerce.department() + faker.string.alphanumeric(8),
}

const further: Readonly<Record<string, readonly string[]>> = {
  'first-name': given,
  'last-name': family,
  email: addresses,
}

const pools = new Map<string, readonly string[]>()
const poolSize = 256

/** Values of one kind, the same in every process; made once, since seeding faker costs more than a request. */
function poolOf(hint: string): readonly string[] {
  const known = pools.get(hint)
  if (known !== undefined) return known
  const make = makers[hint] ?? (makers.sentence as () => string)
  faker.seed(20_000 + hint.length)
  const pool = Array.from({ length: poolSize }, make)
  pools.set(hint, pool)
  return pool
}

/** Makes the values of every kind ahead of their use. */
export function makeRealisticValues(): void {
  for (const hint of Object.keys(makers)) poolOf(hint)
}

/** Ordinary values of that kind; falls back to short sentences for a hint it does not know. */
export function realistic(hint: string): fc.Arbitrary<string> {
  const made = fc.noShrink(fc.nat({ max: poolSize - 1 })).map((at) => poolOf(hint)[at] as string)
  const others = further[hint]
  return others === undefined ? made : fc.oneof(made, fc.constantFrom(...others))
}
