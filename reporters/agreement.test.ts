import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as readJUnit } from 'test-results-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Outcome, outcomes } from '../specs/outcomes.ts'
import { ctrfReport } from './ctrf/report.ts'
import type { Render } from './document.ts'
import { formatNames } from './formats.ts'
import { harReport } from './har/report.ts'
import { htmlReport } from './html/report.ts'
import { junitReport } from './junit/report.ts'
import { markdownReport } from './markdown/report.ts'
import { occasions } from './occasions.fixture.ts'
import type { Results } from './results.ts'
import { readResults, writeResults } from './results-json.ts'
import { terminalReport } from './terminal/report.ts'
import { plain } from './terminal/style.ts'
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
    tabled(textOf(markdownReport, results), (label) => new RegExp(`^\\| ${label} \\| (\\d+) \\|$`, 'm')),
  html: (results) => {
    const page = textOf(htmlReport, results)
    const listed = [...page.matchAll(/<div class="req [^"]*" data-outcome="([a-z-]+)"/g)]
    const counted = [...page.matchAll(/data-outcome="([a-z-]+)" data-count="(\d+)"/g)]
    const head = new Map(counted.map(([, outcome, count]) => [outcome, Number(count)]))
    expect(countsBy((outcome) => head.get(outcome) ?? 0)).toEqual(results.totals)
    return countOf(listed.map(([, outcome]) => outcome))
  },
  har: (results) => JSON.parse(textOf(harReport, results)).log._totals,
  ctrf: (results) => JSON.parse(textOf(ctrfReport, results)).results.summary.extra.requirements,
}

/** Formats that list checks, by what reads them back. */
const ofChecks: Readonly<Record<string, (results: Results) => Counts>> = {
  junit: (results) => {
    const file = join(emptyFolder(), 'junit.xml')
    writeFileSync(file, textOf(junitReport, results))
    const cases = readJUnit({ type: 'junit', files: [file] }).suites.flatMap((suite) => suite.cases)
    return countOf(cases.map(({ metadata }) => (metadata as { outcome?: string }).outcome))
  },
  ctrf: (results) => {
    const { tests } = JSON.parse(textOf(ctrfReport, results)).results
    return countOf(tests.map(({ rawStatus }: { rawStatus: string }) => rawStatus))
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
