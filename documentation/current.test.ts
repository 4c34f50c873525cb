import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { suiteVersion } from '../deployment/suite-version.ts'
import { faults, readBackFaults } from '../reference/faults/index.ts'
import { variants } from '../reference/variants/index.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { openapiDocument } from '../schemas/openapi/document.ts'
import { violations } from '../schemas/validators.ts'
import { hostileTargets } from '../selftest/parts/hostile.ts'
import { isGating } from '../specs/outcomes.ts'
import { arcgisProfile } from '../specs/profiles/arcgis.ts'
import { requirements } from '../specs/requirements.ts'
import { manifestAfter, operationSchema, realisticValues } from './generated-json.ts'
import { pages, pagesWithTable, withTable } from './pages.ts'

const rendered = new Map(
  await Promise.all(pages.map(async ({ file, render }) => [file, await render()] as const)),
)
const pageOf = (file: string): string => rendered.get(file) as string
const checkedIn = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
function anchorsOf(file: string): string[] {
  const text = rendered.get(file) ?? checkedIn(`docs/${file}`)
  return [
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string),
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-')),
  ]
}

describe.each(pages.map(({ file }) => file))('docs/%s', (file) => {
  it('is up to date with npm run generate', () => {
    expect(
      checkedIn(`docs/${file}`) === pageOf(file),
      `docs/${file} is not current: run "npm run generate" and check it in`,
    ).toBe(true)
  })

  it('has unique anchors, and links only to existing ones', () => {
    const anchors = anchorsOf(file)
    expect(anchors).toEqual([...new Set(anchors)])
    const links = [...pageOf(file).matchAll(/\]\(([a-z-]+\.md)?#([^)]+)\)/g)]
    const missing = links.filter(([, other = file, id]) => !anchorsOf(other).includes(id as string))
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('contains no undefined, NaN or object text', () => {
    expect(pageOf(file)).not.toMatch(/undefined|\[object|NaN/)
  })
})

it.each<[string, () => object]>([
  ['schemas/operation.schema.json', operationSchema],
  ['specs/openapi.json', () => openapiDocument(suiteVersion)],
  ['runner/cases/realistic-values.json', realisticValues],
])('%s is up to date with npm run generate', (file, generate) => {
  expect(JSON.parse(checkedIn(file))).toEqual(JSON.parse(JSON.stringify(generate())))
})

it('manifestAfter adds removed ids to the earlier ones in `gone`', async () => {
  const { requirements, checks, gone } = await manifestAfter({
    requirements: ['add-workspace/creates', 'add-workspace/was-once'],
    checks: ['add-workspace/creates', 'add-workspace/creates:was-once'],
    gone: ['sync-workspace/went-before'],
  })
  expect(gone).toEqual([
    'add-workspace/creates:was-once',
    'add-workspace/was-once',
    'sync-workspace/went-before',
  ])
  expect(requirements).toContain('add-workspace/creates')
  expect(checks).toContain('add-workspace/creates')
})

it.each(pagesWithTable)('docs/$file has an up-to-date table', async (page) => {
  const text = checkedIn(`docs/${page.file}`)
  expect(await withTable(text, page)).toBe(text)
  const [before, after = ''] = text.split(page.notice)
  const stale = `${before}${page.notice}${after.replace(/\|\s/, '| stale ')}`
  expect(stale).not.toBe(text)
  expect(await withTable(stale, page)).toBe(text)
})

it('README.md has the number of faults, variants and hostile targets', () => {
  const text = checkedIn('README.md').replaceAll('\n', ' ')
  const least = Number(/in more than (\d+) ways/.exec(text)?.[1])
  const ways = faults.length + readBackFaults.length
  expect(ways).toBeGreaterThan(least)
  expect(ways).toBeLessThan(least + 100)
  expect(text).toContain(`${variants.length} ways to be different and right`)
  expect(text).toContain(`${hostileTargets.length} hostile and broken targets`)
})

it('docs/for-client-authors.md names the tested npm clients with their versions', () => {
  const { devDependencies } = JSON.parse(checkedIn('package.json'))
  const page = checkedIn('docs/for-client-authors.md')
  for (const name of ['@esri/arcgis-rest-portal', '@esri/arcgis-rest-request'])
    expect(page).toContain(`\`${name}\` ${devDependencies[name]}`)
})

it('requirements.md has each requirement on one line, with its anchor and the files that judge it', () => {
  const lines = pageOf('requirements.md').split('\n')
  for (const { id } of requirements) {
    const line = lines.find((each) => each.includes(`<a id="${id.replace('/', '-')}"></a>\`${id}\``))
    expect(line, id).toMatch(/`[\w/-]+` \|$/)
  }
  expect(lines.length).toBeLessThanOrEqual(160)
})

it('every gating requirement except lifecycle/consistent has a fault', () => {
  const proved = new Set(faults.flatMap(({ breaks }) => breaks))
  const unproved = requirements.filter(({ level, id }) => isGating(level) && !proved.has(id))
  expect(unproved.map(({ id }) => id)).toEqual(['lifecycle/consistent'])
})

it('configuration.md describes every key of the schema', () => {
  const keys = Object.keys(schemaOf('configuration').properties ?? {}).filter((key) => key !== '$schema')
  for (const key of keys) expect(pageOf('configuration.md')).toContain(`\n## ${key}\n`)
  for (const key of [
    'http.connectTimeout',
    'contract.federation.certificateMarkers.begin',
    'authentication.check',
  ])
    expect(pageOf('configuration.md')).toContain(`| \`${key}\` |`)
  expect(pageOf('configuration.md').split('\n').length).toBeLessThanOrEqual(250)
})

it.each([
  ['README.md', 150],
  ['docs/selftest.md', 80],
  ['CHANGELOG.md', 25],
])('%s has at most %i lines', (file, most) => {
  expect(checkedIn(file).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})

const yamlBlocks = (text: string): unknown[] =>
  [...text.matchAll(/(?<=```yaml\n)[\s\S]*?(?=\n```)/g)].map(([block]) => parse(block))

it.each([
  ['README.md', 'configuration'],
  ['docs/profiles.md', 'profile'],
] as const)('the YAML in %s is a valid %s', (file, schema) => {
  const blocks = yamlBlocks(checkedIn(file))
  const whole = schema === 'profile' ? blocks.slice(-1) : blocks
  expect(whole.length).toBeGreaterThan(0)
  for (const block of whole) expect(violations(schema, block)).toEqual([])
})

it('docs/profiles.md names the values of the profile arcgis', () => {
  const text = checkedIn('docs/profiles.md')
  const { authentication, contract, jsonFormats, errors } = arcgisProfile
  const values = [
    authentication?.name,
    authentication?.check,
    contract?.sync?.parameter,
    ...(contract?.run?.statuses ?? []),
    ...(contract?.federation?.signUpModes ?? []),
    ...(contract?.federation?.userTypes ?? []),
    contract?.federation?.roleId,
    contract?.federation?.userLicenseType,
    ...(jsonFormats ?? []),
    ...Object.values(errors ?? {}).flatMap(({ codes }) => codes.map(String)),
  ]
  for (const value of values) expect(text).toContain(`\`${value}\``)
})
