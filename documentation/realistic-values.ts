/** `runner/cases/realistic-values.json`: values that people use, by the hint that a request schema gives; the same each time. */
import { faker } from '@faker-js/faker/locale/en'

/** With the apostrophe of print: the other one is refused by some filters, which is open. */
const typographic = (name: string): string => name.replaceAll("'", '’')

const makers: Readonly<Record<string, () => string>> = {
  title: () => faker.company.catchPhrase(),
  sentence: () => faker.lorem.sentence(),
  result: () => faker.lorem.sentences({ min: 1, max: 3 }),
  'first-name': () => typographic(faker.person.firstName()),
  'last-name': () => typographic(faker.person.lastName()),
  email: () => faker.internet.email({ provider: 'example.com' }),
  // The host itself is one that resolves: names below it do not.
  url: () => `https://example.org/${faker.lorem.slug()}`,
  'entity-id': () => `https://example.org/${faker.string.alphanumeric(12)}`,
  'folder-name': () => faker.commerce.department() + faker.string.alphanumeric(8),
}

/** So many of each kind. */
const count = 256

export function realisticValues(): Record<string, readonly string[]> {
  const values = Object.entries(makers).map(([hint, make]) => {
    faker.seed(20_000 + hint.length)
    return [hint, Array.from({ length: count }, make)]
  })
  return Object.fromEntries(values)
}
