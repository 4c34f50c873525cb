import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as readJUnit } from 'test-results-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { valueClasses } from '../runner/log/counts.ts'
import { operationIds } from '../specs/operations.ts'
import { isGating, type Outcome, outcomes, worst } from '../specs/outcomes.ts'
import { compareResults } from './compare/compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonOnTerminal } from './compare/document.ts'
import { historyHtml, historyMarkdown, historyOf } from './compare/history.ts'
import type { Render } from './document.ts'
import { formatNames } from './formats.ts'
import { byKey } from './grouping.ts'
import { harReport } from './har/report.ts'
import { everything } from './html/page.fixture.ts'
import { htmlReport } from './html/report.ts'
import { junitReport } from './junit/report.ts'
import { markdownReport } from './markdown/report.ts'
import { occasions } from './occasions.fixture.ts'
import type { Results } from './results.ts'
import { readResults, writeResults } from './results-json.ts'
import { terminalReport } from './terminal/report.ts'
import { plain } from './terminal/sheet.ts'
import { outcomeWords } from './wording.ts'

type Counts = Readonly<Record<Outcome, number>>

const textOf = (render: Render, results: Results): string => [...render(results)].join('')

const countsBy = (count: (outcome: Outcome) => number): Counts =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Counts

const countOf = (several: readonly unknown[]): Counts =>
  countsBy((outcome) => several.filter((each) => each === outcome).length)

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pc-agreement-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

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
    const { totals, requirements } = await readResults(await writeResults(emptyFolder(), results))
    expect(totals).toEqual(countOf(requirements.map(({ outcome }) => outcome)))
    return totals
  },
  terminal: (results) => {
    const summary = terminalReport(results, { width: 100, paint: plain }).split('\nSummary of ')[1] ?? ''
    return tabled(summary.split('\n\n')[0] as string, (label) => new RegExp(`^ +${label} +(\\d+)$`, 'm'))
  },
  markdown: (results) =>
    tabled(textOf(markdownReport, results), (label) => new RegExp(`^- \\*\\*${label}\\*\\* (\\d+)$`, 'm')),
  html: (results) => {
    const page = textOf(htmlReport, results)
    const listed = [...page.matchAll(/<div class="req [^"]*" data-outcome="([a-z-]+)"/g)]
    const counted = [...page.matchAll(/#outcome=([a-z-]+)">.*?<\/a><\/dt><dd>(\d+)</g)]
    const head = new Map(counted.map(([, outcome, count]) => [outcome, Number(count)]))
    expect(countsBy((outcome) => head.get(outcome) ?? 0)).toEqual(results.totals)
    return countOf(listed.map(([, outcome]) => outcome))
  },
  har: (results) => JSON.parse(textOf(harReport, results)).log._totals,
}

/** Formats that list checks, by what reads them back. */
const ofChecks: Readonly<Record<string, (results: Results) => Counts>> = {
  junit: (results) => {
    const file = join(emptyFolder(), 'junit.xml')
    writeFileSync(file, textOf(junitReport, results))
    const cases = readJUnit({ type: 'junit', files: [file] }).suites.flatMap((suite) => suite.cases)
    return countOf(cases.map(({ metadata }) => (metadata as { outcome?: string }).outcome))
  },
  har: (results) => {
    const { pages } = JSON.parse(textOf(harReport, results)).log
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

const numbersIn = (text = ''): number[] => (text.match(/\d+/g) ?? []).map(Number)
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

/** Counts of everything that exchanges are counted by, no two alike. */
function manyExchanges(): NonNullable<Results['exchanges']> {
  let last = 100
  const next = (): number => ++last
  const ends = () => ({ accepted: next(), refused: next(), broken: next() })
  return {
    boundsMs: [10, 100],
    sliceMs: 1000,
    operations: operationIds.map((operation) => ({
      operation,
      times: [next(), next(), next()],
      slowest: [{ durationMs: 1000 * next(), atMs: 900, check: 'add-workspace/creates' }],
      slices: [
        [next(), next(), next()],
        [next(), 0, 0],
      ],
    })),
    callers: operationIds.map((operation) => ({
      ...{ operation, actor: 'hostAdministrator' as const, portal: 'host' as const },
      ...ends(),
    })),
    values: valueClasses.map((each) => ({
      ...{ operation: 'add-workspace', parameter: 'collaborationWorkspaceName', class: each },
      ...ends(),
    })),
  }
}

describe('the pictures', () => {
  const exchanges = manyExchanges()
  const results: Results = { ...everything(), exchanges }
  const page = textOf(htmlReport, results)

  test('of coverage count the requirements of each operation and kind', () => {
    const cells = [
      ...page.matchAll(
        /<td class="([a-z-]+)"><a href="#operation=([a-z-]+)&amp;kind=(\w+)">.*?<small>(\d+)(?: of (\d+))?/g,
      ),
    ]
    const reported = cells.map(([, outcome, operation, kind, count, of = count]) => ({
      outcome,
      operation,
      kind,
      counts: [Number(count), Number(of)],
    }))
    const kinds = new Set(results.requirements.map(({ operation, kind }) => `${operation} ${kind}`))
    expect(reported.filter(({ kind }) => kind !== undefined).length).toBeGreaterThanOrEqual(kinds.size)
    for (const { outcome, operation, kind, counts } of reported) {
      const such = results.requirements.filter((each) => each.operation === operation && each.kind === kind)
      expect(counts).toEqual([such.filter((each) => each.outcome === outcome).length, such.length])
    }
  })

  test('of callers tell how many of their requests were accepted', () => {
    const [row] = rowsOf(page, 'roles').filter(([actor]) => actor === 'hostAdministrator')
    const reported = row!.slice(1, -1).map((cell) => numbersIn(cell.match(/host: \d+ of \d+/)?.[0]))
    const counted = exchanges.callers.map(({ accepted, refused, broken }) => [
      accepted,
      accepted + refused + broken,
    ])
    // A cell without a role is left blank.
    expect(reported.filter((numbers) => numbers.length > 0)).toEqual(counted.slice(0, 1))
  })

  test('of values tell how many were sent and accepted', () => {
    const [row] = rowsOf(page, 'values')
    expect(row!.slice(1, -1).map(numbersIn)).toEqual(
      exchanges.values.map(({ accepted, refused, broken }) => [accepted + refused + broken, accepted]),
    )
  })

  test('of the run in time tell the requests of each operation, and how they ended', () => {
    const reported = rowsOf(page, 'run-time').map((row) => numbersIn(row[2]))
    expect(reported).toEqual(
      exchanges.operations.map(({ slices }) =>
        [0, 1, 2].map((end) => sum(slices.map((each) => each[end] ?? 0))),
      ),
    )
  })

  test('of latency tell how many answers there were, and the slowest', () => {
    const reported = rowsOf(page, 'latency').map((row) => [
      ...numbersIn(row[2]),
      ...numbersIn(row[5]).slice(0, 1),
    ])
    expect(reported).toEqual(
      exchanges.operations.map(({ times, slowest }) => [
        sum(times),
        Math.floor(slowest[0]!.durationMs / 60_000),
      ]),
    )
  })
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
      comparisonOnTerminal(comparison, { width: 100, paint: plain, asMatrix: true }),
      (verdict: string) => new RegExp(`^ +(\\d+) ${verdict}`, 'm'),
    ],
    [
      'html',
      [...comparisonHtml(comparison, true)].join(''),
      (verdict: string) => new RegExp(`>(\\d+) ${verdict}<`),
    ],
    [
      'markdown',
      [...comparisonMarkdown(comparison, true)].join(''),
      (verdict: string) => new RegExp(`^- \\*\\*(\\d+) ${verdict}:`, 'm'),
    ],
  ])('%s counts the targets by verdict as their results do', (_, text, reported) => {
    for (const verdict of ['non-conformant', 'incomplete', 'conformant'])
      expect(Number(reported(verdict).exec(text)?.[1])).toBe(having(verdict))
  })

  test('each cell of a target and an operation says its worst outcome, and of how many requirements', () => {
    const rows = rowsOf([...comparisonHtml(comparison, true)].join(''), 'heat')
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
      expect([...historyHtml(histories)].join('')).toContain(`<td>${share}</td>`)
      expect([...historyMarkdown(histories)].join('')).toContain(`| ${share} |`)
    }
  })
})
