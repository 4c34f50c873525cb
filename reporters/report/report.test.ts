/** What readers once took for something else, looked at as they see it: in the rendered reports. */
import { describe, expect, test } from 'vitest'
import type { CheckId, CheckResult, RoleObservation } from '../../runner/check-result.ts'
import type { OperationId } from '../../specs/operations.ts'
import { everything } from '../everything.fixture.ts'
import { caseWords } from '../finding-text.ts'
import { forPeople, html, terminal, visible } from '../rendering.fixture.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'

const people: readonly (readonly [string, (results: Results) => string])[] = Object.entries({
  ...forPeople,
  terminal: (results: Results) => terminal(results, { width: 200 }),
  html: (results: Results) => visible(html(results)),
})

/** A check that ends at a refusal of HTTP 200 with that body. */
function refusal(
  id: CheckId,
  outcome: 'failed' | 'inconclusive',
  operation: OperationId,
  body: string,
): CheckResult {
  const check = failedCheck(id, 'a valid request was not accepted', body)
  const refused = { operation, class: 'refused', refusal: `HTTP 200 with ${body}` } as const
  const evidence = check.evidence!.map((each) => ({ ...each, ...refused }))
  return outcome === 'failed'
    ? { ...check, evidence }
    : checkOf(id, { outcome, reason: 'the control was not accepted', evidence })
}

describe.each(people)('%s', (_, render) => {
  const tooLong = '{"error":{"code":400,"message":"too long"}}'
  const limited = resultsOf([
    refusal('add-workspace/name-limit-accepts', 'failed', 'add-workspace', tooLong),
    refusal('add-workspace/name-limit-rejects', 'inconclusive', 'add-workspace', tooLong),
    refusal('add-workspace/name-kept', 'inconclusive', 'add-workspace', tooLong),
    refusal('add-workspace/description-kept', 'inconclusive', 'add-workspace', '{"error":{"code":500}}'),
    refusal('sync-workspace/after-finish', 'inconclusive', 'sync-workspace', tooLong),
  ])

  test('a refused limit is reported once, with what could not be judged because of it', () => {
    const text = render(limited)
    expect(text.match(/[Bb]ecause of this, 2 requirements could not be judged/g)).toHaveLength(1)
    const open = text.slice(text.lastIndexOf('Could not be decided')).split('Summary of ')[0]
    expect(open).toContain('add-workspace/description-kept')
    expect(open).toContain('sync-workspace/after-finish')
    expect(open).not.toContain('add-workspace/name-kept')
  })

  test('the number of requirements is distinguished from the number that make the verdict', () => {
    const advice = checkOf('protocol/post-only:add-workspace')
    const text = render(resultsOf([checkOf('add-workspace/creates'), advice]))
    expect(text).toContain('2 requirements: 1 must and implied, which make the verdict, and 1 advice')
    expect(text).toContain('1 of 1 must and implied requirements that apply passed')
  })
})

const long = 'é_*'.repeat(40)

test.each([
  [
    JSON.stringify({ control: { f: 'pjson' }, probe: { name: long, f: 'pjson' } }),
    `name: "${'é_*'.repeat(20)}…" (120 characters), f: "pjson"`,
  ],
  [
    '[{"name":"a","f":"pjson"},{"name":"b},{"},{"style":{"space":"%20"}… (302 characters)',
    'name: "a", f: "pjson"; name: "b},{"; space: "%20" … (302 characters)',
  ],
  ['3', 'number 3'],
])('the case %s in words is %s', (counterexample, words) => {
  expect(caseWords(counterexample)).toBe(words)
})

test('each row of what was found names its operation, and counts what could not be judged', () => {
  const page = html(
    resultsOf([
      refusal('add-workspace/creates', 'failed', 'add-workspace', 'no'),
      refusal('add-workspace/name-kept', 'inconclusive', 'add-workspace', 'no'),
      refusal('sync-workspace/starts', 'failed', 'sync-workspace', 'no'),
    ]),
  )
  expect(visible(page)).toContain('1 requirement: add-workspace/creates ; 1 more could not be judged')
  const rows = page.matchAll(/<li>.*?<a href="#finding-\d+">.*?<p class="quiet">(.*?): /g)
  expect([...rows].map(([, text]) => text)).toEqual(['Add workspace (§4.1)', 'Sync workspace (§4.4)'])
})

test('a finding is of the operation that its check judges, whatever the id says', () => {
  const found = failedCheck('protocol/form-post:first', 'a valid request was not accepted')
  const [exchange] = found.evidence!
  const { operation: _, ...page } = exchange!
  const results = resultsOf([{ ...found, operation: 'sync-workspace', evidence: [page] }])
  expect(html(results)).toContain('<dt>Where</dt><dd>Sync workspace (§4.4)</dd>')
})

describe('the table of roles', () => {
  const role = (actor: RoleObservation['actor'], wrong?: true): RoleObservation => ({
    operation: 'add-workspace',
    actor,
    observed: 'allowed',
    ...(wrong === undefined ? {} : { wrong }),
  })
  const table = (results: Results): string => {
    const page = html(results)
    return visible(
      page.slice(page.indexOf('aria-label="Who may do what"'), page.indexOf('id="requirements"')),
    )
  }

  test('says wrong only where a requirement says so', () => {
    const roles = [role('guestAdministrator', true)]
    const passed = resultsOf([checkOf('add-workspace/refuses-guest')], { roles })
    expect(table(passed)).not.toContain('wrong')
    const failed = resultsOf([failedCheck('add-workspace/refuses-guest', 'let in')], { roles })
    expect(table(failed)).toContain('allowed, wrong')
  })

  test('leaves blank what no requirement speaks of, and shows what was not tried as a hole', () => {
    const conformant = resultsOf([checkOf('add-workspace/refuses-guest')], {
      roles: [role('hostAdministrator')],
    })
    expect(table(conformant)).not.toContain('not tested')
    expect(table(conformant)).not.toContain('untried')
    const untried = checkOf('add-workspace/refuses-guest', { outcome: 'not-tested', reason: 'no guest' })
    expect(table(resultsOf([untried]))).toContain('untried')
  })
})

describe('the pictures', () => {
  const page = html(everything())
  const partOf = (id: string): string => {
    const from = page.indexOf(`<section aria-labelledby="${id}">`)
    return visible(page.slice(from, page.indexOf('</section>', from)))
  }

  test('say what was sent as each parameter, and leave holes where nothing was', () => {
    expect(partOf('values')).toMatch(/collaborationWorkspaceName Add workspace 7 all accepted never/)
    expect(partOf('values')).toMatch(/collaborationWorkspaceDescription Add workspace never 8 2 accepted/)
  })

  test('say under whose portal a caller was accepted', () => {
    expect(partOf('roles')).toMatch(/allowed, wrong guest: 3 of 7/)
  })

  test('say when the run sent what, and how long answers took, in numbers that are those of the results', () => {
    expect(partOf('run-time')).toMatch(
      /Add workspace 40 accepted, 9 refused, 1 without an answer 0 ms to 3\.0 s/,
    )
    expect(partOf('latency')).toMatch(/Add workspace 50 answers 10 ms 100 ms 2\.5 s add-workspace\/creates/)
    expect(page).toContain('<small><a href="#add-workspace/creates">')
  })

  test('say on how many exchanges a requirement was judged, if reported', () => {
    const results = everything()
    expect(visible(html(results))).not.toContain('exchanges each')
    const looked = results.requirements.map((each) => ({
      ...each,
      looks: { exchanges: 412, kept: 400, situations: { first: 12, 'after-refused': 7 } },
    }))
    const shown = visible(html({ ...results, requirements: looked }))
    expect(shown).toContain('up to 412 exchanges each')
    const count = looked.length
    expect(shown).toContain(
      `${count} of ${count} requirements were judged on more than 100 answers; the median is 412.`,
    )
    expect(shown).toContain(
      'Judged on 412 answers: 12 to the first request for a fixture, 7 right after an equal request was refused',
    )
  })

  test('mark in a timeline until when a sync runs at least, for eyes and ears', () => {
    const drawing = page.slice(page.indexOf('<figure class="timeline">'), page.indexOf('</figure>'))
    expect(visible(drawing)).toContain('Limit : a sync runs at least until there, by its fixture')
    expect(drawing).toContain('; limit: a sync runs at least until 1.5 s"')
    const lines = drawing.match(/<line class="limit" x1="(.*?)"/g)
    expect(lines).toEqual(['<line class="limit" x1="97.09%"'])
    expect(drawing.match(/class="(accepted|held|refused|unanswered)"/g)).toHaveLength(3)
  })

  test('are not there where the results do not tell', () => {
    const { exchanges: _, ...without } = everything()
    const bare = html(without)
    for (const id of ['values', 'run-time', 'latency']) expect(bare).not.toContain(`id="${id}"`)
    expect(bare).not.toMatch(/href="#(values|run-time|latency)"/)
  })
})
