/** Renders reports and comparisons as text, for tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as readJUnit } from 'test-results-parser'
import { testFolder } from '../cli/process/test-folder.fixture.ts'
import type { Comparison } from '../schemas/types/comparison.ts'
import { compareResults } from './compare/compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonOnTerminal } from './compare/document.ts'
import { harReport } from './har.ts'
import { junitReport } from './junit.ts'
import { htmlReport, markdownReport, terminalReport } from './report/report.ts'
import { checkOf, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'
import { plain } from './terminal/sheet.ts'

export const textOf = (pieces: Iterable<string>): string => [...pieces].join('')

export const html = (results: Results): string => textOf(htmlReport(results))
export const markdown = (results: Results, mostBytes?: number): string =>
  textOf(markdownReport(results, undefined, mostBytes))
export const junit = (results: Results): string => textOf(junitReport(results))
export const har = (results: Results): string => textOf(harReport(results))

export const terminal = (
  results: Results,
  page: Partial<Parameters<typeof terminalReport>[1]> = {},
): string => terminalReport(results, { width: 100, paint: plain, ...page })

/** The reports for people. */
export const forPeople = { terminal, markdown, html } as const

/** The comparison of the results, each as a file. */
export const compared = (...several: readonly Results[]): Comparison =>
  compareResults(several.map((results, at) => ({ file: `runs/${at}.json`, results })))

/** Comparisons for people. */
export const comparisons = {
  terminal: (comparison: Comparison, asMatrix: boolean, width = 100): string =>
    comparisonOnTerminal(comparison, { width, paint: plain, asMatrix }),
  markdown: (comparison: Comparison, asMatrix: boolean): string =>
    textOf(comparisonMarkdown(comparison, asMatrix)),
  html: (comparison: Comparison, asMatrix: boolean): string => textOf(comparisonHtml(comparison, asMatrix)),
} as const

/** Markdown without its code: the part in which GitHub renders HTML and links. */
export const outsideCode = (text: string): string =>
  text
    .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replace(/<code>[^<]*<\/code>/g, '')
    .replace(/(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')

/** The text of a page as a reader sees it. */
export const visible = (markup: string): string =>
  markup
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')

/** The JUnit report as a parser of CI tools reads it. */
export function parsedJUnit(results: Results) {
  const file = join(testFolder(), 'junit.xml')
  writeFileSync(file, junit(results))
  return readJUnit({ type: 'junit', files: [file] })
}

/** A finding about clients. */
const finding = {
  id: 'client/required-parameter',
  level: 'finding' as const,
  operation: 'update-task-run',
  message: 'status is required <script>',
  expected: 'status',
  actual: 'nothing',
  count: 7,
  places: ['a.har, entry 3'],
  evidence: {
    class: 'refused' as const,
    request: { method: 'POST', url: 'https://a.example/x', headers: {}, body: '' },
    curl: 'curl',
  },
}

const passed = resultsOf([checkOf('add-workspace/creates')])

/** Results of recorded traffic. */
export const recorded: Results = {
  ...passed,
  run: {
    ...passed.run,
    traffic: {
      recordings: 1,
      entries: 9,
      exchanges: 8,
      operations: { 'update-task-run': 8 },
      baseUrls: [{ url: 'https://a.example/rest', exchanges: 8 }],
      leftOut: [{ reason: 'another path', count: 1 }],
      client: [finding, finding, { ...finding, level: 'note' }],
    },
  },
}
