/** Details of rendered reports that readers misunderstood before. */
import { describe, expect, test } from 'vitest'
import type { CheckId, CheckResult, RoleObservation } from '../../runner/check-result.ts'
import { everything } from '../everything.fixture.ts'
import { caseWords } from '../finding-text.ts'
import { forPeople, html, recorded, terminal, visible } from '../rendering.fixture.ts'
import { checkOf, failedCheck, openCheck, refusedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'

const people: readonly (readonly [string, (results: Results) => string])[] = Object.entries({
  ...forPeople,
  terminal: (results: Results) => terminal(results, { width: 200 }),
  html: (results: Results) => visible(html(results)),
})

const refused = (id: CheckId, body: string): CheckResult => refusedCheck(id, `HTTP 200 with ${body}`, body)

/** A check that is inconclusive because of such a refusal. */
const undecided = (id: CheckId, body: string): CheckResult => ({
  ...openCheck(id, 'inconclusive', 'the control was not accepted'),
  evidence: refused(id, body).evidence!,
})

describe.each(people)('%s report', (_, render) => {
  test('of a rule about time shows when each request was sent, and how long a sync runs at least', () => {
    const words = render(everything()).replace(/[\s|]+/g, ' ')
    expect(words).toContain(
      '0 ms 1480 ms sync-workspace syncInitiator accepted, HTTP 200 300 ms 35 ms sync-workspace syncInitiator accepted, HTTP 200 580 ms sync-workspace syncNonInitiator no answer: no answer within 10 s',
    )
    expect(words).toContain('By its fixture, a sync runs at least until 1480 ms.')
  })

  const tooLong = '{"error":{"code":400,"message":"too long"}}'
  const limited = resultsOf([
    refused('add-workspace/name-limit-accepts', tooLong),
    undecided('add-workspace/name-limit-rejects', tooLong),
    undecided('add-workspace/name-kept', tooLong),
    undecided('add-workspace/description-kept', '{"error":{"code":500}}'),
    undecided('sync-workspace/after-finish', tooLong),
  ])

  test('reports a refused limit once, with the requirements that it kept from being judged', () => {
    const text = render(limited)
    expect(text.match(/[Bb]ecause of this, 2 requirements could not be judged/g)).toHaveLength(1)
    const open = text.slice(text.lastIndexOf('Could not be decided')).split(/Summary of |Coverage of /)[0]
    expect(open).toContain('add-workspace/description-kept')
    expect(open).toContain('sync-workspace/after-finish')
    expect(open).not.toContain('add-workspace/name-kept')
  })

  test.each(['failed', 'waived', 'warned'] as const)(
    'has the sentence of each requirement of a card (%s), what was expected, and the command to repeat',
    (outcome) => {
      const ids: CheckId[] = ['add-workspace/name-kept', 'add-workspace/description-kept']
      const text = render(resultsOf(ids.map((id) => ({ ...failedCheck(id, 'changed'), outcome }))))
      const words = text.replaceAll(/\s+/g, ' ')
      expect(words).toContain('A name of printable text comes back as it was sent.')
      expect(words).toContain('A description of printable text comes back as it was sent.')
      expect(words).toMatch(/Expected:?\W* refused/)
      expect(words).toContain('portal-conformance run --config staging.yaml --seed 42')
    },
  )

  test('names the place in the recording of a finding in recorded traffic', () => {
    const { run } = recorded
    const check = failedCheck('add-workspace/name-kept', 'changed')
    const failure = { ...check.failure!, counterexample: 'a.har, entry 7', marks: { request: ['name'] } }
    expect(render(resultsOf([{ ...check, failure }], { run }))).toContain('a.har, entry 7')
  })

  test('counts must and implied requirements, which make the verdict, apart from advice', () => {
    const advice = checkOf('protocol/post-only:add-workspace')
    const text = render(resultsOf([checkOf('add-workspace/creates'), advice]))
    expect(text).toContain('2 requirements: 1 must and implied, which make the verdict; 1 of advice')
    expect(text).toContain('1 of 1 must and implied requirements that apply passed')
  })
})

test.each([
  [
    JSON.stringify([
      { name: 'é_*'.repeat(40), f: 'pjson' },
      { control: { f: 'a' }, probe: { f: 'b' } },
    ]),
    `name: "${'é_*'.repeat(20)}…" (120 characters), f: "pjson"; f: "b"`,
  ],
  ['a.har, entry 7', 'a.har, entry 7'],
])('caseWords: %s is %s', (counterexample, words) => {
  expect(caseWords(counterexample)).toBe(words)
})

test('each row of the HTML findings names its operation and counts blocked requirements', () => {
  const page = html(
    resultsOf([
      refused('add-workspace/creates', 'no'),
      undecided('add-workspace/name-kept', 'no'),
      refused('sync-workspace/starts', 'no'),
    ]),
  )
  expect(visible(page)).toContain('1 requirement: add-workspace/creates ; 1 more could not be judged')
  const rows = page.matchAll(/<li>.*?<a href="#finding-\d+">.*?<p class="quiet">(.*?): /g)
  expect([...rows].map(([, text]) => text)).toEqual(['Add workspace (§4.1)', 'Sync workspace (§4.4)'])
})

test('a finding has the operation of its check, not the operation in the check id', () => {
  const found = failedCheck('protocol/form-post:first', 'a valid request was not accepted')
  const [exchange] = found.evidence!
  const { operation: _, ...page } = exchange!
  const results = resultsOf([{ ...found, operation: 'sync-workspace', evidence: [page] }])
  expect(html(results)).toContain('<dt>Where</dt><dd>Sync workspace (§4.4)</dd>')
})

describe('table of roles', () => {
  const role = (actor: RoleObservation['actor'], wrong?: true): RoleObservation => ({
    operation: 'add-workspace',
    actor,
    observed: 'allowed',
    ...(wrong === undefined ? {} : { wrong }),
  })
  const table = (results: Results): string => {
    const [, rows = ''] = /aria-label="Who may do what">(.*?)<\/table>/s.exec(html(results)) ?? []
    return visible(rows)
  }

  test('shows "wrong" only if a requirement failed', () => {
    const roles = [role('guestAdministrator', true)]
    const passed = resultsOf([checkOf('add-workspace/refuses-guest')], { roles })
    expect(table(passed)).not.toContain('wrong')
    const failed = resultsOf([failedCheck('add-workspace/refuses-guest', 'let in')], { roles })
    expect(table(failed)).toContain('allowed, wrong')
  })

  test('is blank without a requirement and shows "untried" if the role was not tested', () => {
    const conformant = resultsOf([checkOf('add-workspace/refuses-guest')], {
      roles: [role('hostAdministrator')],
    })
    expect(table(conformant)).not.toContain('not tested')
    expect(table(conformant)).not.toContain('untried')
    const untried = checkOf('add-workspace/refuses-guest', { outcome: 'not-tested', reason: 'no guest' })
    expect(table(resultsOf([untried]))).toContain('untried')
  })
})

describe('tables of the HTML report', () => {
  const page = html(everything())

  test('show latencies with the numbers of the results, if there are any', () => {
    const part = page.slice(page.indexOf('id="latency"'))
    expect(visible(part)).toMatch(/Add workspace 50 answers 10 ms 100 ms 2\.5 s add-workspace\/creates/)
    expect(page).toContain('<small><a href="#add-workspace/creates">')
    const { exchanges: _, ...without } = everything()
    expect(html(without)).not.toContain('latency')
  })

  test('show how many values of each kind were sent and accepted', () => {
    const results = everything()
    const sent = (value: string, accepted: number) =>
      ({
        operation: 'update-task-run',
        parameter: 'result',
        class: value,
        accepted,
        refused: 4 - accepted,
        broken: 0,
      }) as const
    const values = [sent('left out', 4), sent('ASCII', 1), sent('beyond ASCII', 0)]
    const exchanges = { ...results.exchanges, values } as Results['exchanges']
    const shown = html({ ...results, exchanges } as Results)
    const [, rows = ''] = /aria-label="What was sent">(.*?)<\/table>/s.exec(shown) ?? []
    const [heads, result] = ['Parameter Left out ASCII Beyond ASCII', 'result Update task run']
    expect(visible(rows).trim()).toBe(`${heads} ${result} all 4 accepted 1 of 4 accepted 0 of 4 accepted`)
  })

  test('show on how many answers a requirement was judged, if the results have the number', () => {
    const results = everything()
    const withLooks = results.requirements.map((each) => ({
      ...each,
      looks: { exchanges: 412, kept: 400, situations: { first: 12, 'after-refused': 7 } },
    }))
    expect(visible(html({ ...results, requirements: withLooks }))).toContain(
      'Judged on 412 answers: 12 to the first request for a fixture, 7 right after an equal request was refused',
    )
  })
})
