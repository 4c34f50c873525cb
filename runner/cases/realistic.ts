/** Realistic values by the hint that a request schema gives; and further ordinary ones in other scripts. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { plainCertificate } from '../../specs/certificates.ts'

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
  'D’Arcy',
  'Jean-Luc',
  'Mary Ann',
  'Ng',
  'O',
  'Maria Konstantina Eleftheria',
]
const family = [
  'O’Neill',
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
  'Smith Jr.',
  'van der Berg',
  'Li',
]
const addresses = [
  'user+tag@example.com',
  'first.last@example.org',
  'a@example.com',
  'o.neill@example.org',
  'user_name@mail.example.com',
  'x-y.z.w+1@North-West.example.org',
  '007@example.net',
  'maria-konstantina.papadopoulou-smith@sharing.example.org',
]

/** A name that people have, that means something else to some software, and that is first and last name here. */
const Null = 'Null'

/** Contacts that hold each of these names and addresses once: every run judges all of them. */
export const ordinaryContacts = (domain?: string) =>
  [...given, Null].map((contactFirstname, at) => ({
    contactFirstname,
    contactLastname: contactFirstname === Null ? Null : (family[at % family.length] as string),
    contactEmailAddress: inDomain(addresses[at % addresses.length] as string, domain),
  }))

/** The text with its addresses moved from the domains for examples to that one. */
export const inDomain = (text: string, domain: string | undefined): string =>
  domain === undefined ? text : text.replace(/(?<=@|\/\/|:)(?:[\w-]+\.)*example\.(?:com|net|org)/g, domain)

const further: Readonly<Record<string, readonly string[]>> = {
  'first-name': given,
  'last-name': family,
  email: addresses,
}

/** Made by faker once and for all (`documentation/pages.ts`): to load and to seed it costs more than many requests. */
const values = JSON.parse(readFileSync(new URL('realistic-values.json', import.meta.url), 'utf8')) as {
  readonly [hint: string]: readonly string[]
  readonly sentence: readonly string[]
}

const poolOf = (hint: string): readonly string[] =>
  hint === 'certificate' ? [plainCertificate] : (values[hint] ?? values.sentence)

/** Of people and addresses those that no software has ever had trouble with: a few Latin letters. */
const plain: Readonly<Record<string, readonly string[]>> = {
  'first-name': plainIn('first-name'),
  'last-name': plainIn('last-name'),
  email: plainIn('first-name').map((name) => `${name.toLowerCase()}@example.com`),
}

function plainIn(hint: string): readonly string[] {
  return poolOf(hint).filter((name) => /^[A-Za-z]+$/.test(name))
}

/**
 * Ordinary values of that kind, addresses in the domain where one is given; falls back to short sentences for a hint it
 * does not know. `plainly`: without the names and addresses that some software has trouble with.
 */
export function realistic(hint: string, domain?: string, plainly = false): fc.Arbitrary<string> {
  const pool = (plainly ? plain[hint] : undefined) ?? poolOf(hint)
  const made = fc.noShrink(fc.nat({ max: pool.length - 1 })).map((at) => pool[at] as string)
  const others = plainly ? undefined : further[hint]
  const values = others === undefined ? made : fc.oneof(made, fc.constantFrom(...others))
  return domain === undefined ? values : values.map((value) => inDomain(value, domain))
}
