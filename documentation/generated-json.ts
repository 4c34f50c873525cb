/** Generated JSON files: ids of operations, ids that users script against, and values for cases. */
import { faker } from '@faker-js/faker/locale/en'
import { operationIds } from '../specs/operations.ts'
import { requirements } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

/** `schemas/operation.schema.json`: the ids of the operations. */
export function operationSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://portal-conformance.example/schemas/operation.schema.json',
    title: 'Operation',
    description: 'Id of one operation (§4).',
    enum: operationIds,
    examples: operationIds.slice(0, 1),
  }
}

/** `runner/manifest.json`: the ids that users script against. */
export interface Manifest {
  readonly requirements: readonly string[]
  readonly checks: readonly string[]
  /** Former ids. The changelog says what replaced them. */
  readonly gone?: readonly string[]
}

/** The current manifest. Ids that disappeared since the earlier one are listed as gone. */
export async function manifestAfter(earlier: Manifest): Promise<Manifest> {
  const checks = (await declaredChecks()).map(({ id }) => id).sort()
  const ids = requirements.map(({ id }) => id).sort()
  const known = new Set<string>([...ids, ...checks])
  const before = [...(earlier.gone ?? []), ...earlier.requirements, ...earlier.checks]
  const gone = [...new Set(before)].filter((id) => !known.has(id)).sort()
  return { requirements: ids, checks, ...(gone.length === 0 ? {} : { gone }) }
}

/** With a typographic apostrophe, because some filters refuse the plain one, which the contract leaves open. */
const typographic = (name: string): string => name.replaceAll("'", '’')

const makers: Readonly<Record<string, () => string>> = {
  title: () => faker.company.catchPhrase(),
  sentence: () => faker.lorem.sentence(),
  result: () => faker.lorem.sentences({ min: 1, max: 3 }),
  'first-name': () => typographic(faker.person.firstName()),
  'last-name': () => typographic(faker.person.lastName()),
  email: () => faker.internet.email({ provider: 'example.com' }),
  // The host resolves, but names below it do not.
  url: () => `https://example.org/${faker.lorem.slug()}`,
  'entity-id': () => `https://example.org/${faker.string.alphanumeric(12)}`,
  'folder-name': () => faker.commerce.department() + faker.string.alphanumeric(8),
}

/** Values of each kind. */
const count = 256

export function realisticValues(): Record<string, readonly string[]> {
  const values = Object.entries(makers).map(([hint, make]) => {
    faker.seed(20_000 + hint.length)
    return [hint, Array.from({ length: count }, make)]
  })
  return Object.fromEntries(values)
}
