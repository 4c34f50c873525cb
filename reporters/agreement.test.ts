import { describe, expect, test } from 'vitest'
import { type Outcome, outcomes, worst } from '../specs/outcomes.ts'
import { compareResults } from './compare/compare.ts'
import { everything } from './everything.fixture.ts'
import { byKey } from './grouping.ts'
import { occasions } from './occasions.fixture.ts'
import { comparisons, har, html, markdown, temporaryFolder, terminal } from './rendering.fixture.ts'
import type { Results } from './results.ts'
import { readResults, writeResults } from './results-json.ts'
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
const countsIn: Readonly<Record<string, (results: Results) => Counts | Promise<Counts>>> = {
  json: async (results) => {
    const { totals, requirements } = await readResults(await writeResults(temporaryFolder(), results))
    expect(totals).toEqual(countOf(requirements.map(({ outcome }) => outcome)))
    return totals
  },
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
  test.each(Object.entries(countsIn))('%s has the same counts as the results', async (_, read) => {
    expect(await read(results)).toEqual(results.totals)
  })
})

/** The visible text of each cell, by row, of the table in a section of a page. */
function rowsOf(page: string, heading: string): string[][] {
  const section = page.slice(page.indexOf(`id="${heading}"`))
  const body = section.slice(section.indexOf('<tbody>'), section.indexOf('</tbody>'))
  const visibleText = (cell: string): string =>
    cell
      .replace(/<span class="away">.*?<\/span>|<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return body
    .split('</tr>')
    .map((row) => row.split(/<\/t[hd]>/).map(visibleText))
    .filter(([head]) => head !== '')
}

test('the coverage matrix of the HTML report counts the requirements of each operation and kind', () => {
  const results = everything()
  const cells = html(results).matchAll(
    /<td class="([a-z-]+)"><a href="#operation=([a-z-]+)&amp;kind=(\w+)">.*?<small>(\d+)(?: of (\d+))?/g,
  )
  const reported = [...cells].map(([, outcome, operation, kind, count, of = count]) => ({
    outcome,
    operation,
    kind,
    counts: [Number(count), Number(of)],
  }))
  const kinds = new Set(results.requirements.map(({ operation, kind }) => `${operation} ${kind}`))
  expect(reported.length).toBeGreaterThanOrEqual(kinds.size)
  for (const { outcome, operation, kind, counts } of reported) {
    const counted = results.requirements.filter((each) => each.operation === operation && each.kind === kind)
    expect(counts).toEqual([counted.filter((each) => each.outcome === outcome).length, counted.length])
  }
})

test('each cell of the comparison matrix shows the worst outcome and its number of requirements', () => {
  const several = Object.entries(occasions).filter(([name]) => name !== 'hostile')
  const comparison = compareResults(
    several.map(([name, results]) => ({ file: `${name}.json`, name: `${name} run`, results })),
  )
  const rows = rowsOf(comparisons.html(comparison, true), 'heat')
  expect(rows.length).toBeGreaterThan(0)
  for (const [head = '', verdict, ...cells] of rows) {
    const results = several.find(([name]) => head.split(', ').includes(`${name} run`))![1]
    expect(verdict).toBe(results.verdict)
    const reported = cells.filter((cell) => cell !== '')
    const outcomesOf = [...byKey(results.requirements, ({ operation }) => operation).values()].map(
      (requirements) => {
        const found = requirements.map(({ outcome }) => outcome)
        const count = found.filter((outcome) => outcome === worst(found)).length
        const { sign, word } = outcomeWords[worst(found)]
        return `${sign} ${word}${count < found.length ? ` ${count}` : ''}`
      },
    )
    expect(reported.sort()).toEqual(outcomesOf.sort())
  }
})
