import { createHash } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CheckResult } from '../../runner/check-result.ts'
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { requirements as catalogue } from '../../specs/requirements.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { paintFor, plain } from '../terminal/sheet.ts'
import { outcomeWords } from '../wording.ts'
import { compareResults } from './compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonOnTerminal } from './document.ts'

const compared = (...several: readonly Results[]) =>
  compareResults(several.map((results, at) => ({ file: `runs/${at}.json`, results })))

const renderings = {
  terminal: (comparison: ReturnType<typeof compared>, asMatrix: boolean) =>
    comparisonOnTerminal(comparison, { width: 100, paint: plain, asMatrix }),
  'narrow terminal': (comparison: ReturnType<typeof compared>, asMatrix: boolean) =>
    comparisonOnTerminal(comparison, { width: 40, paint: plain, asMatrix }),
  markdown: (comparison: ReturnType<typeof compared>, asMatrix: boolean) =>
    [...comparisonMarkdown(comparison, asMatrix)].join(''),
  html: (comparison: ReturnType<typeof compared>, asMatrix: boolean) =>
    [...comparisonHtml(comparison, asMatrix)].join(''),
}

const ways = Object.entries(renderings).flatMap(([name, render]) =>
  [false, true].map((asMatrix) => ({ name, asMatrix, render: render })),
)

const without = { 'not-tested': 1, inconclusive: 1, 'not-applicable': 1 }

/** The requirement ends on one side in every way, and on the other it passed. */
const everyOutcome = outcomes.map((outcome, at): CheckResult => {
  const { id } = catalogue[at]!
  return outcome === 'failed'
    ? failedCheck(id, `finding of ${id}`)
    : checkOf(id, { outcome, ...(outcome in without ? { reason: `reason of ${id}` } : {}) })
})
const allPassed = everyOutcome.map(({ id }) => checkOf(id))

test.each(ways.filter(({ name }) => name !== 'narrow terminal'))(
  '$name, as matrix: $asMatrix: every requirement that differs, with sign and word',
  ({ render, asMatrix }) => {
    const text = render(compared(resultsOf(allPassed), resultsOf(everyOutcome)), asMatrix)
    for (const { id, outcome } of everyOutcome.filter((each) => each.outcome !== 'passed')) {
      const { sign, word } = outcomeWords[outcome]
      expect(text).toContain(id)
      expect(text).toContain(`${sign} ${word}`)
    }
    expect(text).toContain('5 requirements passed before')
  },
)

test.each(ways)(
  '$name, as matrix: $asMatrix: open points that differ, and no others',
  ({ render, asMatrix }) => {
    const observing = (observed: string) =>
      resultsOf([checkOf('add-workspace/creates')], {
        observations: [
          { id: 'markup', operation: 'add-workspace', question: 'Is markup filtered?', observed },
          { id: 'equal-names', operation: 'add-workspace', question: 'Equal names?', observed: 'allowed' },
        ],
      })
    const text = render(compared(observing('kept'), observing('removed')), asMatrix)
    expect(text).toContain('Is markup filtered?')
    expect(text).toMatch(/kept[\s\S]*removed/)
    expect(text).not.toContain('Equal names?')
    expect(render(compared(observing('kept'), observing('kept')), asMatrix)).not.toContain(
      'open point of the contract',
    )
  },
)

test.each([40, 60, 100, 200])(
  'no line of the terminal is longer than %d characters, but for words that cannot be broken',
  (width) => {
    const comparison = compared(resultsOf(allPassed), resultsOf(everyOutcome), resultsOf(allPassed))
    for (const asMatrix of [true, false]) {
      const lines = comparisonOnTerminal(comparison, { width, paint: plain, asMatrix }).split('\n')
      expect(lines.filter((line) => [...line].length > width)).toEqual([])
    }
  },
)

test('a wide terminal has a column for each side, a narrow one names the sides by outcome', () => {
  const comparison = compared(resultsOf(allPassed), resultsOf(everyOutcome), resultsOf(allPassed))
  const { id } = catalogue[0]!
  const at = (width: number) => comparisonOnTerminal(comparison, { width, paint: plain, asMatrix: true })
  expect(at(140)).toMatch(new RegExp(`^  ${id} +✓ passed +✗ failed +✓ passed$`, 'm'))
  expect(at(60)).toContain(`  ${id}\n      A, C: ✓ passed  B: ✗ failed\n`)
})

test('colour is added to what is there without it', () => {
  const comparison = compared(resultsOf(allPassed), resultsOf(everyOutcome))
  const paint = paintFor({}, { FORCE_COLOR: '1' })
  for (const asMatrix of [true, false]) {
    const coloured = comparisonOnTerminal(comparison, { width: 140, paint, asMatrix })
    expect(coloured).not.toBe(stripVTControlCharacters(coloured))
    expect(stripVTControlCharacters(coloured)).toBe(
      comparisonOnTerminal(comparison, { width: 140, paint: plain, asMatrix }),
    )
  }
})

test('one cause of many changes is reported once on the terminal', () => {
  const down = { outcome: 'inconclusive' as Outcome, reason: 'the target did not answer' }
  const many = catalogue.slice(0, 60).map(({ id }) => id)
  const comparison = compared(
    resultsOf(many.map((id) => checkOf(id))),
    resultsOf(many.map((id) => checkOf(id, down))),
  )
  const text = comparisonOnTerminal(comparison, { width: 100, paint: plain, asMatrix: false })
  expect(text.match(/the target did not answer/g)).toHaveLength(1)
  expect(text).toContain('and 20 more')
})

test('the page loads nothing: its policy allows its own style and script by hash only', () => {
  const page = renderings.html(compared(resultsOf(allPassed), resultsOf(everyOutcome)), false)
  const hashOf = (tag: string): string => {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] as string
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  const policy = `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; form-action 'none'; base-uri 'none'`
  expect(page).toContain(`content="${policy.replaceAll("'", '&#39;')}"`)
  const outside = page.replace(/<script>[\s\S]*?<\/script>/, '')
  expect(outside).not.toMatch(/<script|<link|<img|style="|\son\w+=|href="[^#]|src=/)
})

const hostile = `</style></td><script>alert(1)</script><img src=x onerror=alert(2)> "'& @everyone #1 [a](javascript:b) | cell \\| \`\`\` ~~~ <!-- \u001b[2J\u001b]0;t\u0007 \u202e \u0000 \ud800\n# head`

test.each(ways)('$name, as matrix: $asMatrix: hostile text does nothing', ({ name, render, asMatrix }) => {
  const others: Partial<Results> = {
    target: { baseUrl: hostile, version: hostile, edition: hostile, profile: hostile },
    suite: { version: hostile },
    observations: [{ id: 'markup', operation: hostile as 'protocol', question: hostile, observed: hostile }],
  }
  const good = resultsOf([checkOf('add-workspace/creates'), failedCheck('add-workspace/timestamps', 'x')])
  const bad = resultsOf(
    [
      failedCheck('add-workspace/creates', hostile),
      checkOf('add-workspace/timestamps', { outcome: 'inconclusive', reason: hostile }),
    ],
    others,
  )
  const strange = bad.requirements.map((each) => ({
    ...each,
    operation: hostile as 'protocol',
    section: hostile,
    text: hostile,
  }))
  const text = render(
    compareResults([
      { file: hostile, results: good },
      { file: 'b', results: { ...bad, requirements: strange } },
    ]),
    asMatrix,
  )
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/)
  expect(text).not.toMatch(/\p{Cs}/u)
  if (name === 'html')
    expect(text).not.toMatch(/<script>alert|<script[\s\S]*<script|<img|<\/style>[\s\S]*<\/style>|<!--/)
  if (name === 'markdown') {
    expect(text).not.toMatch(/<(?!\/?(?:details|summary|code|span|br)\b)/)
    expect(text).not.toMatch(/(?<!<code>)[@#](?=\w)|^# |(?<!\\)\]\(|(?<!\\)`/m)
    for (const table of text.match(/^\|.*\n(\|.*\n)*/gm) ?? []) {
      const bars = table
        .trim()
        .split('\n')
        .map((line) => line.replace(/\\./g, '').split('|').length)
      expect(new Set(bars).size).toBe(1)
    }
  }
})
