import { describe, expect, test } from 'vitest'
import { isGating, type Outcome, outcomes, worst } from '../specs/outcomes.ts'
import { compareResults } from './compare/compare.ts'
import { historyHtml, historyMarkdown, historyOf } from './compare/history.ts'
import { formatNames } from './document.ts'
import { everything } from './everything.fixture.ts'
import { byKey } from './grouping.ts'
import { occasions } from './occasions.fixture.ts'
import {
  comparisons,
  consumed,
  har,
  html,
  markdown,
  temporaryFolder,
  terminal,
  textOf,
} from './rendering.fixture.ts'
import type { Results } from './results.ts'
import { readResults, writeResults } from './results-json.ts'
import { outcomeWords } from './wording.ts'

type Counts = Readonly<Record<Outcome, number>>

const countsBy = (count: (outcome: Outcome) => number): Counts =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Counts

const countOf = (several: readonly unknown[]): Counts =>
  countsBy((outcome) => several.filter((each) => each === outcome).length)

/** A table of outcomes: each row a sign, a word and a number. */
function tabled(text: string, row: (label: string) => RegExp): Counts {
  return countsBy((outcome) => {
    const { sign, word } = outcomeWords[outcome]
    const label = `${sign} ${word}`.replace(/[?.]/g, '\\$&')
    return Number(row(label).exec(text)?.[1] ?? 0)
  })
}

/** Formats that count requirements, by what reads them back. */
const ofRequirements: Readonly<Record<string, (results: Results) => Counts | Promise<Counts>>> = {
  json: async (results) => {
    const { totals, requirements } = await readResults(await writeResults(temporaryFolder(), results))
    expect(totals).toEqual(countOf(requirements.map(({ outcome }) => outcome)))
    return totals
  },
  terminal: (results) => {
    const summary = terminal(results).split('\nSummary of ')[1] ?? ''
    return tabled(summary.split('\n\n')[0] as string, (label) => new RegExp(`^ +${label} +(\\d+)$`, 'm'))
  },
  markdown: (results) =>
    tabled(markdown(results), (label) => new RegExp(`^- \\*\\*${label}\\*\\* (\\d+)$`, 'm')),
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

/** Formats that list checks, by what reads them back. */
const ofChecks: Readonly<Record<string, (results: Results) => Counts>> = {
  junit: (results) => {
    const cases = consumed(results).suites.flatMap((suite) => suite.cases)
    return countOf(cases.map(({ metadata }) => (metadata as { outcome?: string }).outcome))
  },
  har: (results) => {
    const { pages } = JSON.parse(har(results)).log
    return countOf(pages.map(({ _outcome }: { _outcome: string }) => _outcome))
  },
}

describe.each(Object.entries(occasions))('a run: %s', (_name, results) => {
  test.each(Object.entries(ofRequirements))(
    '%s counts the requirements as the results do',
    async (_, read) => {
      expect(await read(results)).toEqual(results.totals)
    },
  )

  test.each(Object.entries(ofChecks))('%s lists the checks as the results do', (_, read) => {
    const checks = results.requirements.flatMap((requirement) => requirement.checks)
    expect(read(results)).toEqual(countOf(checks.map(({ outcome }) => outcome)))
  })
})

test('no format is forgotten', () => {
  const read = [...Object.keys(ofRequirements), ...Object.keys(ofChecks)]
  expect(formatNames.filter((name) => !read.includes(name))).toEqual([])
})

test('the occasions differ in what they count', () => {
  const distinct = new Set(Object.values(occasions).map(({ totals }) => JSON.stringify(totals)))
  expect(distinct.size).toBeGreaterThanOrEqual(6)
})

/** The rows of the table in that section of a page: the texts of their cells, as a reader sees them. */
function rowsOf(page: string, heading: string): string[][] {
  const section = page.slice(page.indexOf(`id="${heading}"`))
  const body = section.slice(section.indexOf('<tbody>'), section.indexOf('</tbody>'))
  const seen = (cell: string): string =>
    cell
      .replace(/<span class="away">.*?<\/span>|<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return body
    .split('</tr>')
    .map((row) => row.split(/<\/t[hd]>/).map(seen))
    .filter(([head]) => head !== '')
}

test('the picture of coverage counts the requirements of each operation and kind', () => {
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
    const such = results.requirements.filter((each) => each.operation === operation && each.kind === kind)
    expect(counts).toEqual([such.filter((each) => each.outcome === outcome).length, such.length])
  }
})

describe('a fleet and a history', () => {
  const several = Object.entries(occasions).filter(([name]) => name !== 'hostile')
  const comparison = compareResults(
    [...several, ...several].map(([name, results], at) => ({
      file: `${at}.json`,
      name: `${name} ${at}`,
      results,
    })),
  )
  const having = (verdict: string) => 2 * several.filter(([, results]) => results.verdict === verdict).length

  test.each([
    [
      'terminal',
      comparisons.terminal(comparison, true),
      (verdict: string) => new RegExp(`^ +(\\d+) ${verdict}`, 'm'),
    ],
    ['html', comparisons.html(comparison, true), (verdict: string) => new RegExp(`>(\\d+) ${verdict}<`)],
    [
      'markdown',
      comparisons.markdown(comparison, true),
      (verdict: string) => new RegExp(`^- \\*\\*(\\d+) ${verdict}:`, 'm'),
    ],
  ])('%s counts the targets by verdict as their results do', (_, text, reported) => {
    for (const verdict of ['non-conformant', 'incomplete', 'conformant'])
      expect(Number(reported(verdict).exec(text)?.[1])).toBe(having(verdict))
  })

  test('each cell of a target and an operation says its worst outcome, and of how many requirements', () => {
    const rows = rowsOf(comparisons.html(comparison, true), 'heat')
    expect(rows.length).toBeGreaterThan(0)
    for (const [head = '', ...cells] of rows) {
      const results = several.find(([name]) => head.startsWith(`${name} `))![1]
      const reported = cells.filter((cell) => cell !== '')
      const outcomesOf = [...byKey(results.requirements, ({ operation }) => operation).values()].map(
        (those) => {
          const ends = those.map(({ outcome }) => outcome)
          const count = ends.filter((end) => end === worst(ends)).length
          const { sign, word } = outcomeWords[worst(ends)]
          return `${sign} ${word}${count < ends.length ? ` ${count}` : ''}`
        },
      )
      expect(reported.sort()).toEqual(outcomesOf.sort())
    }
  })

  test('of each run a history says how many of the requirements passed that make the verdict', () => {
    for (const [, results] of several) {
      const gating = results.requirements.filter(
        ({ level, outcome }) => isGating(level) && outcome !== 'not-applicable',
      )
      const share = `${gating.filter(({ outcome }) => outcome === 'passed').length} of ${gating.length}`
      const histories = historyOf([{ file: 'results.json', results }])
      expect(textOf(historyHtml(histories))).toContain(`<td>${share}</td>`)
      expect(textOf(historyMarkdown(histories))).toContain(`| ${share} |`)
    }
  })
})
