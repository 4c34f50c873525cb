/** The generated files: pages of the documentation, and files that follow from the catalogues. */
import { faker } from '@faker-js/faker/locale/en'
import { needsTable } from '../cli/doctor/run-estimate.ts'
import { formats } from '../reporters/document.ts'
import { fixturesOf } from '../runner/plan.ts'
import { openPoints } from '../specs/open-points.ts'
import { operationIds } from '../specs/operations.ts'
import { levels } from '../specs/outcomes.ts'
import { type Requirement, requirements } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { configurationPage } from './configuration-page.ts'
import { anchor, code, codes, page, prose, table } from './markdown.ts'

const levelTexts: Readonly<Record<Requirement['level'], string>> = {
  must: 'the contract says it; makes the verdict',
  implied: 'follows from what the contract says; makes the verdict',
  advice: 'good practice; a warning, unless `--fail-on advice`',
  'must (profile)': 'the profile says it; reported apart, unless `--fail-on profile`',
}

/** docs/requirements.md: one line for each requirement, with the files that judge it. */
async function requirementsPage(): Promise<string> {
  const files = new Map<string, Set<string>>()
  const checks = await declaredChecks()
  for (const { file = '', requirement } of checks)
    files.set(requirement, (files.get(requirement) ?? new Set()).add(file))
  const rows = requirements.map(({ id, level, section, text }) => [
    `${anchor(id)}${code(id)}`,
    level,
    section,
    prose(text),
    [...(files.get(id) ?? [])].map((file) => `\`${file}\``).join(', '),
  ])
  return page([
    '# Requirements',
    `The contract as ${requirements.length} sentences, judged by ${checks.length} checks. The ids are stable: reports, waivers and
\`--requirement\` use them. \`portal-conformance requirements\` prints them with their checks as a table or as JSON;
\`run --dry-run --config FILE\` shows which of them a run can judge on your deployment. What the contract leaves open is
never judged: [open points](profiles.md#open-points).`,
    table(
      ['level', 'meaning', 'requirements'],
      levels.map((level) => [
        level,
        levelTexts[level],
        String(requirements.filter((each) => each.level === level).length),
      ]),
    ),
    table(['requirement', 'level', '§', 'sentence', 'judged in'], rows),
  ])
}

/** A key that begins with a dot is a sibling of the first one. */
function keysThatSettle(settledBy = ''): string {
  const keys = settledBy.split(', ').filter((key) => key !== '')
  const parent = keys[0]?.replace(/\.[^.]*$/, '')
  return codes(keys.map((key) => (key.startsWith('.') ? `${parent}${key}` : key)))
}

/** The table of open points in docs/profiles.md: how each is settled. */
const openPointsTable = (): string =>
  table(
    ['open point', 'question', 'settled by'],
    openPoints.map((point) => [
      `${anchor(point.id)}${code(point.id)}`,
      prose(point.question),
      keysThatSettle('settledBy' in point ? point.settledBy : undefined),
    ]),
  )

/** The table of formats in docs/reading-a-report.md. */
const formatsTable = (): string =>
  table(
    ['`--reporter`', 'file', 'for'],
    [
      [code('terminal'), '', 'the person who runs it'],
      [code('json'), code('results.json'), 'everything, for programs'],
      ...Object.entries(formats).map(([name, { file, purpose }]) => [code(name), code(file), purpose]),
    ],
  )

interface Page {
  /** Its name in docs/. */
  readonly file: string
  readonly render: () => string | Promise<string>
}

export const pages: readonly Page[] = [
  { file: 'configuration.md', render: configurationPage },
  { file: 'requirements.md', render: requirementsPage },
]

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

/** Pages written by hand with one generated table, and the line before that table. */
export const pagesWithTable: readonly {
  readonly file: string
  readonly notice: string
  readonly table: () => string | Promise<string>
}[] = [
  {
    file: 'fixtures.md',
    notice: '<!-- The table is written by `npm run generate`, from cli/doctor/counted.json. -->',
    table: async () =>
      needsTable((await declaredChecks()).map((check) => ({ ...check, fixtures: fixturesOf(check) }))),
  },
  {
    file: 'profiles.md',
    notice: '<!-- The table is written by `npm run generate`, from specs/open-points.ts. -->',
    table: openPointsTable,
  },
  {
    file: 'reading-a-report.md',
    notice: '<!-- The table is written by `npm run generate`, from reporters/document.ts. -->',
    table: formatsTable,
  },
]

/** The page with its current table. */
export async function withTable(
  text: string,
  { file, notice, table: render }: (typeof pagesWithTable)[number],
): Promise<string> {
  const [before, after] = text.split(notice)
  if (after === undefined) throw new Error(`docs/${file}: expected the line ${notice}`)
  const rest = after.replace(/^\n(?:\|.*\n)*/, '')
  return `${before}${notice}\n${await render()}\n${rest}`
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
