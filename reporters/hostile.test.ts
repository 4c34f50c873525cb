/** Reports and comparisons escape hostile texts from targets and from forged results files. */
import { describe, expect, test } from 'vitest'
import { historyHtml, historyMarkdown, historyOf, historyOnTerminal } from './compare/history.ts'
import { everything } from './everything.fixture.ts'
import { forgedResults, hostile, hostileResults } from './hostile.fixture.ts'
import {
  compared,
  comparisons,
  forPeople,
  har,
  junit,
  outsideCode,
  parsedJUnit,
  recorded as recordedClient,
  terminal,
  textOf,
} from './rendering.fixture.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'
import { statement } from './statement/statement.ts'
import { plain } from './terminal/sheet.ts'

const forged = forgedResults()
const harmless = resultsOf([checkOf('add-workspace/creates'), failedCheck('add-workspace/timestamps', 'x')])

/** A run that lacks a configured actor or fixture. */
const lacking = resultsOf([
  checkOf('add-workspace/creates', { outcome: 'not-tested', reason: 'missing', add: [hostile] }),
])
const { traffic } = recordedClient.run
const client = {
  ...traffic!.client[0]!,
  ...{ id: hostile, operation: hostile, message: hostile, expected: hostile, actual: hostile },
  places: [hostile],
  evidence: hostileResults.requirements[0]!.checks[0]!.evidence![0]!,
}
const hostileTraffic = {
  ...traffic!,
  baseUrls: [{ url: hostile, exchanges: 8 }],
  leftOut: [{ reason: hostile, count: 1 }],
  client: [client, { ...client, level: 'note' as const }],
}
const recorded: Results = { ...harmless, run: { ...harmless.run, traffic: hostileTraffic } }

const runs = { hostile: hostileResults, forged, lacking, recorded }
const history = (results: Results) => historyOf([{ file: hostile, results }])

/** Every document of a medium with hostile texts in it. */
function documentsIn(medium: keyof typeof forPeople): [string, string][] {
  const report = forPeople[medium]
  const compare = comparisons[medium]
  return [
    ...Object.entries(runs).map(([name, results]): [string, string] => [name, report(results)]),
    ...[false, true].map((asMatrix): [string, string] => [
      `comparison, as matrix: ${asMatrix}`,
      compare(compared(harmless, forged), asMatrix),
    ]),
    ['comparison of many', compare(compared(...Array<Results>(10).fill(harmless), forged), true)],
  ]
}

describe.each([
  ...documentsIn('terminal'),
  ['verbose report', terminal(forged, { verbose: true })],
  ['history', historyOnTerminal(history(forged), { width: 100, paint: plain })],
])('terminal output with hostile texts (%s)', (_, text) => {
  test('has no control characters, direction marks or lone surrogates', () => {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    expect(text.replaceAll(/\s/g, '')).toContain('user\\u{202e}gnp.exe')
  })
})

describe.each([
  ...documentsIn('markdown'),
  ['history', textOf(historyMarkdown(history(forged)))],
  ['statement', textOf(statement(forged, { command: hostile, files: [hostile] }))],
])('Markdown with hostile texts (%s)', (_, text) => {
  const outside = outsideCode(text)

  test('has no HTML, links, mentions, headings, escapes or workflow commands from the texts', () => {
    expect(text).not.toMatch(/[\p{Cf}\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u)
    expect(outside.replace('![Verdict of the run](badge.svg)', '')).not.toMatch(
      /<(?!\/?(?:details|summary|br)\b)|[@#](?![# ])[\w/]|:\/\/|www\.|GH-|(?<!\\)\]\(/,
    )
    expect(outside).not.toMatch(/^\s*(?:::|##\[)/m)
    expect(outside.match(/^#+ .*$/gm)?.filter((line) => /^#+ (owned|heading)/.test(line)) ?? []).toEqual([])
    expect(text).toMatch(/u\\?\{1b\\?\}/)
  })

  test('has the same number of cells in all rows of a table', () => {
    for (const table of outside.match(/^\|.*\n(\|.*\n)*/gm) ?? []) {
      const bars = table
        .trim()
        .split('\n')
        .map((line) => line.replace(/\\./g, '').split('|').length)
      expect(new Set(bars).size).toBe(1)
    }
  })
})

const tagsOf = (page: string): Set<string> =>
  new Set(
    page
      .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1>')
      .match(/<\/?[a-z!][^\s>]*/gi)
      ?.map((tag) => tag.replace('/', '').toLowerCase()),
  )

const usual = tagsOf(forPeople.html(everything()))
const own = /<(style|script)>[\s\S]*?<\/\1>/g

describe.each([...documentsIn('html'), ['history', textOf(historyHtml(history(forged)))]])(
  'HTML with hostile texts (%s)',
  (_, page) => {
    test('has only the usual elements, no attributes that run or load, and only internal links', () => {
      expect([...tagsOf(page)].filter((tag) => !usual.has(tag))).toEqual([])
      const tags = page.match(/<[a-z][^>]*>/gi) ?? []
      const names = tags.flatMap((tag) =>
        [...tag.replace(/"[^"]*"/g, '""').matchAll(/\s([^\s=>]+)(?==|[\s>])/g)].map(([, name]) => name),
      )
      const active = /^(on|style|src|srcdoc|action|formaction|autofocus)/i
      expect(names.filter((name) => active.test(name as string))).toEqual([])
      const addresses = tags.flatMap((tag) => [...tag.matchAll(/\shref="([^"]*)"/g)].map(([, to]) => to))
      expect(addresses.filter((address) => !address?.startsWith('#'))).toEqual([])
    })

    test('has only its own script and style, and escapes misleading characters', () => {
      expect(page.match(own)).toEqual(forPeople.html(harmless).match(own))
      expect(page.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      expect(page).toContain('user\\u{202e}gnp.exe\\u{2066}\\u{200b}\\u{0}\\u{1b}[2J\\u{2028}\\u{d800}')
    })

    test('keeps each command on one line', () => {
      const commands = [...page.matchAll(/<code tabindex="0"[^>]*>([^<]*)<\/code>/g)]
      expect(commands.filter(([, text]) => /[\n\r\t]/.test(text as string))).toEqual([])
    })
  },
)

test('JUnit escapes hostile texts: no extra elements, attachments or properties', () => {
  const xml = junit(hostileResults)
  expect(xml.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}|\p{Cf}/u)).toBeNull()
  const checks = hostileResults.requirements.flatMap((requirement) => requirement.checks)
  expect(xml.match(/<failure /g)).toHaveLength(checks.filter(({ outcome }) => outcome === 'failed').length)
  expect(xml).not.toMatch(/<!\[CDATA\[|\[\[(?:ATTACHMENT|\/)/i)
  expect(xml).toContain('\\u{1b}[31mred')
  expect(xml).toContain('\\u{fffe} \\u{ffff}')
  const cases = parsedJUnit(hostileResults).suites.flatMap((suite) => suite.cases)
  expect(cases.flatMap(({ attachments }) => attachments)).toEqual([])
  const outcomes = cases.flatMap(({ metadata }) => ('outcome' in metadata ? [metadata.outcome] : []))
  expect(outcomes.toSorted()).toEqual(checks.map(({ outcome }) => outcome).toSorted())
})

test('HAR escapes lone surrogates and keeps the whole text', () => {
  expect(har(hostileResults)).not.toMatch(/\p{Cs}/u)
  expect(JSON.parse(har(hostileResults)).log.entries[0].response.content.text).toBe(hostile)
})
