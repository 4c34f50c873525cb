import { expect, test } from 'vitest'
import type { Evidence } from '../deployment/http/exchange.ts'
import type { CheckId, CheckResult } from '../runner/check-result.ts'
import { findingsByCause } from './cards.ts'
import { failedCheck, openCheck, refusedCheck, resultsOf, waivedCheck } from './results.fixture.ts'

interface Found {
  readonly evidence?: Partial<Evidence>
  readonly failure?: Partial<NonNullable<CheckResult['failure']>>
}

/** A failed check whose last answer and failure have those properties. */
function finding(id: CheckId, { evidence = {}, failure = {} }: Found = {}): CheckResult {
  const check = failedCheck(id, `wrong in ${id}`)
  return {
    ...check,
    failure: { ...check.failure!, ...failure },
    evidence: check.evidence!.map((each) => ({ ...each, ...evidence })),
  }
}

/** The ids of the checks of each card. */
const cardsOf = (...checks: CheckResult[]): string[][] =>
  findingsByCause(resultsOf(checks)).map(({ findings }) => findings.map(({ check }) => check.id))

const noRight = 'HTTP 200 with error 403: No right.'

test('wrongly accepted callers of one operation share one card', () => {
  expect(
    cardsOf(
      finding('sync-workspace/refuses-non-designated:beside', { evidence: { actor: 'outsider' } }),
      finding('sync-workspace/refuses-non-designated', { evidence: { actor: 'outsider' } }),
      finding('sync-workspace/refuses-anonymous', { evidence: { actor: 'anonymous' } }),
      finding('add-workspace/refuses-guest', { evidence: { actor: 'guestAdministrator' } }),
    ),
  ).toEqual([
    [
      'sync-workspace/refuses-non-designated',
      'sync-workspace/refuses-non-designated:beside',
      'sync-workspace/refuses-anonymous',
    ],
    ['add-workspace/refuses-guest'],
  ])
})

test('operations that wrongly accept the same caller share one card, unless the caller is unknown', () => {
  const accepting = (id: CheckId, actor?: string) =>
    finding(id, actor === undefined ? {} : { evidence: { actor } })
  expect(
    cardsOf(
      accepting('add-workspace/refuses-anonymous', 'anonymous'),
      accepting('sync-workspace/refuses-anonymous', 'anonymous'),
    ),
  ).toHaveLength(1)
  expect(
    cardsOf(accepting('add-workspace/refuses-anonymous'), accepting('sync-workspace/refuses-anonymous')),
  ).toHaveLength(2)
})

test('a finding that marks the wrong field of the answer heads the card of refused requests', () => {
  const refusal = 'HTTP 200 with success: "true"'
  const [card, ...others] = cardsOf(
    refusedCheck('protocol/form-post:add-workspace', refusal),
    refusedCheck('protocol/form-post:sync-workspace', refusal),
    refusedCheck('add-workspace/creates', refusal),
    finding('protocol/success-boolean:add-workspace', {
      evidence: { class: 'refused', refusal },
      failure: { marks: { response: ['success'] } },
    }),
  )
  expect(others).toEqual([])
  expect(card?.[0]).toBe('protocol/success-boolean:add-workspace')
})

test.each<[string, CheckId[], CheckId]>([
  [
    'the common rule, if several operations refuse',
    ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace', 'add-workspace/creates'],
    'protocol/form-post:add-workspace',
  ],
  [
    'the main rule of the operation, if one operation refuses ordinary requests',
    ['protocol/form-post:add-workspace', 'add-workspace/name-limit-accepts', 'add-workspace/creates'],
    'add-workspace/creates',
  ],
  [
    'the rule of the special value, if only that value is refused',
    ['add-workspace/creates', 'add-workspace/name-limit-accepts'],
    'add-workspace/name-limit-accepts',
  ],
])('the head of a card of refusals is %s', (_, ids, head) => {
  const cards = cardsOf(...ids.map((id) => refusedCheck(id, noRight)))
  expect(cards).toHaveLength(1)
  expect(cards[0]?.[0]).toBe(head)
})

test('different refusals, wrong fields, wrong acceptances and wrong pages get separate cards', () => {
  const { operation: _, ...page } = failedCheck('add-workspace/creates', '').evidence![0]!
  const effect = { ...failedCheck('add-workspace/creates:read-back', 'not shown'), evidence: [page] }
  expect(
    cardsOf(
      refusedCheck('add-workspace/creates', noRight),
      refusedCheck('add-workspace/name-limit-accepts', 'HTTP 200 with error 400: Too long.'),
      finding('add-workspace/name-kept', { failure: { marks: { response: ['workspace.name'] } } }),
      finding('add-workspace/description-kept', { failure: { marks: { response: ['workspace.text'] } } }),
      finding('add-workspace/refuses-guest'),
      effect,
    ).map((ids) => ids.length),
  ).toEqual([2, 1, 1, 1, 1])
})

const cardsOfRefusals = (...refusals: string[]) =>
  cardsOf(...refusals.map((refusal, at) => refusedCheck(`add-workspace/creates:${at}`, refusal)))

test.each([
  ['HTTP 500 with incident 8tw161sxhy', 'HTTP 500 with incident zqv387y6nc'],
  ['workspace 7e4761f876d48deedf81e42611c5701e', 'workspace 81e42611c57017e4761f876d48deedfe'],
  ['after 12345 ms', 'after 9876 ms'],
  ['a body of 97 bytes, after 3 ms', 'a body of 512 bytes, after 21 ms'],
  ['an id like 0f3a-5b7c-9d1e', 'an id like 1111-2222-3333'],
])('refusals with ids, sizes or times of their own share one card: %j and %j', (one, other) => {
  expect(cardsOfRefusals(one, other)).toHaveLength(1)
})

test.each([
  ['HTTP 500', 'HTTP 404'],
  ['101 characters', '251 characters'],
  ['workspace.id: missing', 'workspace.name: missing'],
  ['the first answer', 'the second answer'],
])('different refusals get separate cards: %j and %j', (one, other) => {
  expect(cardsOfRefusals(one, other)).toHaveLength(2)
})

test('consequences of one operation share one card, whichever operations show them', () => {
  const showing = (id: CheckId, evidence: Partial<Evidence>) => finding(id, { evidence })
  expect(
    cardsOf(
      showing('delete-collaboration/gone-after-delete', { operation: 'add-workspace' }),
      showing('delete-collaboration/sharing-stops', { operation: 'sync-workspace' }),
      showing('delete-collaboration/others-unaffected', {
        class: 'refused',
        refusal: 'HTTP 200 with error 404',
        operation: 'add-workspace',
      }),
    ),
  ).toEqual([
    ['delete-collaboration/gone-after-delete', 'delete-collaboration/sharing-stops'],
    ['delete-collaboration/others-unaffected'],
  ])
})

test('a lifecycle finding joins the card of its operation and is never the head', () => {
  const [card, ...others] = cardsOf(
    finding('lifecycle/consistent', { evidence: { operation: 'sync-workspace' } }),
    finding('sync-workspace/refuses-anonymous'),
  )
  expect([card, others]).toEqual([['sync-workspace/refuses-anonymous', 'lifecycle/consistent'], []])
})

test('an inconclusive requirement is listed as blocked on the card of the same refusal', () => {
  const open = (id: CheckId, refusal: string): CheckResult => ({
    ...openCheck(id, 'inconclusive', 'the control was refused'),
    evidence: refusedCheck(id, refusal).evidence!,
  })
  const accepted = finding('sync-workspace/refuses-anonymous')
  const cards = findingsByCause(
    resultsOf([
      accepted,
      refusedCheck('add-workspace/creates', noRight),
      open('add-workspace/name-kept', noRight),
      open('add-workspace/description-kept', noRight),
      open('add-workspace/id-is-new', 'HTTP 500'),
      // An accepted answer does not explain why a check is inconclusive.
      { ...open('sync-workspace/starts', ''), evidence: accepted.evidence! },
      // Two causes keep this requirement from being judged.
      refusedCheck('add-workspace/timestamps', 'HTTP 502'),
      open('add-workspace/config-fields', noRight),
      open('add-workspace/config-fields:other', 'HTTP 502'),
    ]),
  )
  expect(cards.map(({ blocked }) => blocked)).toEqual([
    ['add-workspace/name-kept', 'add-workspace/description-kept'],
    [],
    [],
  ])
})

test('failed cards come first, largest on top, then waived cards, then advice', () => {
  const advice = { ...finding('protocol/refusal-json:add-workspace'), outcome: 'warned' as const }
  const cards = findingsByCause(
    resultsOf([
      { ...advice, evidence: [] },
      waivedCheck('update-federation/updates'),
      finding('add-workspace/refuses-guest'),
      finding('sync-workspace/refuses-anonymous'),
      finding('sync-workspace/refuses-non-designated'),
    ]),
  )
  expect(cards.map(({ outcome, findings }) => [outcome, findings.length])).toEqual([
    ['failed', 2],
    ['failed', 1],
    ['waived', 1],
    ['warned', 1],
  ])
})
