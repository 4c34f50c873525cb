import { describe, expect, test } from 'vitest'
import { type Outcome, outcomes } from '../specs/outcomes.ts'
import { compareResults } from './compare/compare.ts'
import { occasions } from './occasions.fixture.ts'
import { comparisons, har, html, markdown, terminal, visible } from './rendering.fixture.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'
import { outcomeWords } from './wording.ts'

type Counts = Readonly<Record<Outcome, number>>

const countsBy = (count: (outcome: Outcome) => number): Counts =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Counts

const countOf = (several: readonly unknown[]): Counts =>
  countsBy((outcome) => several.filter((each) => each === outcome).length)

/** The counts in a table of outcomes: each row has a sign, a word and a number. */
function tableCounts(text: string, row: (label: string) => RegExp): Counts {
  return countsBy((outcome) => {
    const { sign, word } = outcomeWords[outcome]
    const label = `${sign} ${word}`.replace(/[?.]/g, '\\$&')
    return Number(row(label).exec(text)?.[1] ?? 0)
  })
}

/** Reads the counts of requirements back from each format. */
const countsIn: Readonly<Record<string, (results: Results) => Counts>> = {
  terminal: (results) => {
    const summary = terminal(results).split('\nSummary of ')[1] ?? ''
    return tableCounts(summary.split('\n\n')[0] as string, (label) => new RegExp(`^ +${label} +(\\d+)$`, 'm'))
  },
  markdown: (results) =>
    tableCounts(markdown(results), (label) => new RegExp(`^- \\*\\*${label}\\*\\* (\\d+)$`, 'm')),
  html: (results) => {
    const page = html(results)
    const listed = [...page.matchAll(/<div class="req [^"]*" data-outcome="([a-z-]+)"/g)]
    const counted = [...page.matchAll(/#outcome=([a-z-]+)">.*?<\/a><\/dt><dd>(\d+)</g)]
    const head = new Map(counted.map(([, outcome, count]) => [outcome, Number(count)]))
    expect(countsBy((outcome) => head.get(outcome) ?? 0)).toEqual(results.totals)
    return countOf(listed.map(([, outcome]) => outcome))
  },
  har: (results) => JSON.parse(har(results)).log._totals,
}

describe.each(Object.entries(occasions))('reports of a run (%s)', (_name, results) => {
  test.each(Object.entries(countsIn))('%s has the same counts as the results', (_, read) => {
    expect(read(results)).toEqual(results.totals)
  })
})

/** The rows of the table in the section with this id of a page, as a reader sees them. */
function rowsOf(page: string, id: string): string[] {
  const section = page.slice(page.indexOf(`id="${id}"`))
  const body = section.slice(section.indexOf('<tbody>'), section.indexOf('</tbody>'))
  return body
    .split('</tr>')
    .map((row) => visible(row).trim())
    .filter((row) => row !== '')
}

test('the coverage matrix of the HTML report counts requirements by their worst outcome', () => {
  const results = resultsOf([
    checkOf('add-workspace/creates'),
    checkOf('add-workspace/id-is-new'),
    failedCheck('add-workspace/name-limit-rejects', 'x'),
    checkOf('add-workspace/name-limit-accepts'),
    failedCheck('sync-workspace/refuses-anonymous', 'x'),
  ])
  expect(rowsOf(html(results), 'matrix')).toEqual([
    'Add workspace (§4.1) ✓ passed 1 ✗ failed 1 of 2 ✓ passed 1',
    'Sync workspace (§4.4) ✗ failed 1',
  ])
})

test('each cell of the comparison matrix shows the worst outcome and its number of requirements', () => {
  const names = ['conformant', 'failing', 'incomplete'] as const
  const comparison = compareResults(
    names.map((name) => ({ file: `${name}.json`, name: `${name} run`, results: occasions[name] as Results })),
  )
  expect(rowsOf(comparisons.html(comparison, true), 'heat')).toEqual([
    'failing run non-conformant ✗ failed 2 ! warned 1',
    'incomplete run incomplete ? inconclusive 1 · not applicable – not tested',
    'conformant run conformant ✓ passed · not applicable',
  ])
})
