import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { runConformance } from '../cli/api.ts'
import { faults } from '../reference/faults/index.ts'
import { startPortal } from '../reference/portal.ts'
import { variants } from '../reference/variants/index.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { violations } from '../schemas/validators.ts'
import { hostileTargets } from '../selftest/trials.ts'
import { openPoints } from '../specs/open-points.ts'
import { isGating } from '../specs/outcomes.ts'
import { requirements } from '../specs/requirements.ts'
import { generatedNotice } from './markdown.ts'
import { observedPoints } from './open-points-page.ts'
import { pages, realisticValues } from './pages.ts'

const rendered = new Map(
  await Promise.all(pages.map(async ({ file, render }) => [file, await render()] as const)),
)
const pageOf = (file: string): string => rendered.get(file) as string
const anchorsOf = (file: string): string[] =>
  [...pageOf(file).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string)

describe.each(pages.map(({ file }) => file))('docs/%s', (file) => {
  it('is checked in as it is generated now', () => {
    const checkedIn = readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8')
    expect(
      checkedIn === pageOf(file),
      `docs/${file} is not current: run "npm run generate" and check it in`,
    ).toBe(true)
  })

  it('says in its first line that it is generated, and by what', () => {
    expect(pageOf(file).split('\n')[0]).toBe(generatedNotice)
  })

  it('names each anchor once, and links to none that is missing', () => {
    const anchors = anchorsOf(file)
    expect(anchors).toEqual([...new Set(anchors)])
    const links = [...pageOf(file).matchAll(/\]\(([a-z-]+\.md)?#([^)]+)\)/g)]
    const missing = links.filter(([, other = file, id]) => !anchorsOf(other).includes(id as string))
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('holds no value that was not there', () => {
    expect(pageOf(file)).not.toMatch(/undefined|\[object|NaN/)
  })
})

it('counts in README.md what the self-test has', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replaceAll('\n', ' ')
  // By hundreds, so that a further fault is a change of one file.
  const hundreds = 100 * Math.floor((faults.length - 1) / 100)
  expect(text).toContain(`more than ${hundreds} faults of the embedded portal`)
  expect(text).toContain(`${variants.length} ways to be different and right`)
  expect(text).toContain(`${hostileTargets.length} hostile and broken targets`)
})

it('has the realistic values that faker makes now', () => {
  const file = new URL('../runner/cases/realistic-values.json', import.meta.url)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(realisticValues())
})

it('has every requirement with a heading and the anchor that links use', () => {
  for (const { id } of requirements) {
    expect(pageOf('requirements.md')).toContain(`<a id="${id.replace('/', '-')}"></a>\n\n### ${id}\n`)
  }
})

it('has a proof for every requirement that makes the verdict, but for the interplay', () => {
  const parts = pageOf('requirements.md').split('\n### ').slice(1)
  const unproved = parts
    .filter((part) => !part.includes('**A fault that proves it:**'))
    .map((part) => part.split('\n')[0])
  const gating = requirements.filter(({ level, id }) => isGating(level) && unproved.includes(id))
  expect(gating.map(({ id }) => id)).toEqual(['lifecycle/consistent'])
})

it('shows a complete configuration that is valid as it stands, with a comment on every key of it', () => {
  const [example] = /(?<=```yaml\n)[\s\S]*?(?=\n```)/.exec(pageOf('configuration.md')) as RegExpExecArray
  expect(violations('configuration', parse(example))).toEqual([])
  const keys = example.split('\n').filter((line) => /^[a-zA-Z]+:/.test(line))
  expect(keys).toHaveLength(10)
  expect(keys.filter((key) => !/^ *#.*$/.test(lineBefore(example, key)))).toEqual([])
})

it('lists every key of the schema', () => {
  const keys = Object.keys(schemaOf('configuration').properties ?? {}).filter((key) => key !== '$schema')
  for (const key of keys) expect(anchorsOf('configuration.md')).toContain(key.toLowerCase())
  for (const key of [
    'http.connectTimeout',
    'contract.federation.certificateMarkers.begin',
    'authentication.check',
  ])
    expect(pageOf('configuration.md')).toContain(`**\`${key}\`**`)
})

it('shows a profile of the user that is valid as it stands', () => {
  const blocks = pageOf('profiles.md').match(/(?<=```yaml\n)[\s\S]*?(?=\n```)/g) ?? []
  expect(violations('profile', parse(blocks.at(-1) as string))).toEqual([])
})

it('calls those open points observed that a run observes', async () => {
  const portal = await startPortal()
  onTestFinished(() => portal.close())
  const { observations } = await runConformance({ configuration: portal.configuration, seed: 1, runs: 5 })
  const observed = new Set(observations.map(({ id }) => id))
  expect(openPoints.map(({ id }) => id).filter((id) => observed.has(id))).toEqual([...observedPoints])
})

const lineBefore = (text: string, line: string): string => {
  const lines = text.split('\n')
  return lines[lines.indexOf(line) - 1] ?? ''
}
