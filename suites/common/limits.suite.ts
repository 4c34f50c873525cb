/** §8 Limits: texts are accepted up to the limit and refused beyond it. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import {
  beyondTextLimit,
  eachLeftOut,
  requestsHolding,
  withinTextLimit,
} from '../../runner/cases/requests.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, OperationTarget } from '../../runner/context/context.ts'
import { isQuick, looks } from '../../runner/effort.ts'
import { Discarded } from '../../runner/findings.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type Limit, limitsOf, requestSchema } from '../../schemas/catalogue.ts'
import type { RequirementId } from '../../specs/requirements.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const operation = 'add-workspace'
const textLimits = limitsOf(requestSchema(operation)).filter(({ keyword }) => keyword === 'maxLength')

/** The clauses for both sides of each limit. */
const clauses = {
  collaborationWorkspaceName: ['add-workspace/name-limit-accepts', 'add-workspace/name-limit-rejects'],
  collaborationWorkspaceDescription: [
    'add-workspace/description-limit-accepts',
    'add-workspace/description-limit-rejects',
  ],
} as const

const check = suite(checks, targetNeeds(operation))

for (const [field, [accepts, rejects]] of Object.entries(clauses)) {
  const limit = textLimits.find((each) => each.field === field) as Limit
  const { most } = limit
  check(accepts, { title: `${field} of 1 to ${most} characters is accepted` }, (context) =>
    acceptsUpTo(context, limit),
  )
  check(rejects, { title: `${field} of more than ${most} characters is not accepted` }, (context) =>
    rejectsBeyond(context, limit, { accepts, rejects }),
  )
}

/** Texts at a limit. The first ones are also tried in other situations. */
const textsWithin = (most: number): string[] => [
  // Characters that become longer when escaped for a page or a query count as one each. Few of them, because filters
  // may refuse texts with many characters that are neither letter nor digit.
  'R&D of roads and rivers '
    .repeat(most)
    .slice(0, most - 1)
    .concat('&'),
  // Any script counts, and so do characters beyond the Basic Multilingual Plane.
  "Zoë 漢字 한국어 हिन्दी d'été שלום سلام Ελλάδα Ёж 𠀀 🚀".slice(0, most),
  ...['é', '漢', 'a'].flatMap((character) => [most, most - 1, 1].map((size) => character.repeat(size))),
]

/**
 * A text at the limit in UTF-16 units, for quick runs. Its end has many kinds of characters, because a name may get a mark
 * at its start, and none that filters refuse.
 */
const denseWithin = (most: number): string => {
  const end = "한국어 🚀 d'été&漢"
  return '漢'.repeat(most - end.length) + end
}

async function acceptsUpTo(context: CheckContext, limit: Limit): Promise<void> {
  const { given, forAll, expect, configuration } = context
  const { field, most } = limit
  const call = context.target(operation)
  const valid = given.requests(operation, { text: 'ordinary', fixed: call.fixed })
  const holding = (texts: readonly string[]) =>
    requestsHolding(valid, textsIn(field, texts), configuration.run.seed)
  const examples = holding(textsWithin(most))
  await forAll(
    withinTextLimit(valid, limit),
    async (request) => {
      const { text, answer } = await takes(call, given, request, field)
      expect(answer).toBeAccepted(
        `${field} of ${[...text].length} characters: ${JSON.stringify(text)}`,
        field,
      )
    },
    { cases: 'some', examples, quick: holding([denseWithin(most), 'é'.repeat(most)]) },
  )
  if (isQuick(configuration.run)) return
  // With the other texts at their limits. If those alone are refused, their own checks report it.
  const whole = { ...examples[0], ...othersAtMost(field) }
  const before = await call.send(inFull(given, { ...whole, [field]: 'éé' }))
  if (!isAccepted(before)) return
  expect(await call.send(inFull(given, { ...whole, [field]: 'é'.repeat(most) })), before).toBeAccepted(
    `${field} of ${most} characters, with all other texts at their limits`,
    field,
  )
}

/** Texts beyond a limit. The last one is too short if spaces are not counted, or escapes are undone. */
const textsBeyond = (most: number): string[] => [
  ...[most + 1, most + 2, most + 10, 1001, 1025, 5000, 7001]
    .filter((size) => size > most)
    .map((size) => 'é'.repeat(size)),
  'é%41b '.repeat(most).slice(0, most).concat('x'),
]

async function rejectsBeyond(
  context: CheckContext,
  limit: Limit,
  { accepts, rejects }: { readonly accepts: RequirementId; readonly rejects: RequirementId },
): Promise<void> {
  const { given, forAll, expect, control, configuration } = context
  const { field, most } = limit
  const { send, fixed } = context.target(operation)
  const valid = given.requests(operation, { text: 'ordinary', fixed })
  const holding = requestsHolding(valid, textsIn(field, textsBeyond(most)), configuration.run.seed)
  const whole = { ...holding[0], ...othersAtMost(field), [field]: 'é'.repeat(most + 1) }
  // The limit also holds with a parameter left out, unless that is required here.
  const leftOut = eachLeftOut(operation, await given.request(operation, fixed))
    .filter((request) => request[field] !== undefined)
    .map((request) => ({ ...request, [field]: 'é'.repeat(most + 1) }))
  const atLimit = (probe: RequestFields) => ({ control: { ...probe, [field]: 'é'.repeat(most) }, probe })
  await forAll(
    beyondTextLimit(valid, limit),
    async ({ control: within, probe }) => {
      const before = await send(inFull(given, within))
      if (!isAccepted(before) && Object.values(within).includes(undefined))
        throw new Discarded('a parameter that was left out is required here')
      control(before, `the control, a request with ${field} of ${most} characters,`, accepts)
      expect(await send(inFull(given, probe)), before).toKeep(rejects)
    },
    {
      cases: 'some',
      examples: [...holding, whole, ...leftOut].map(atLimit),
      quick: [...holding.slice(0, 1), ...holding.slice(-2, -1)].map(atLimit),
    },
  )
}

/** Makes the name of the request unique and keeps the length of all texts. */
const inFull = (given: Pick<CheckContext['given'], 'named'>, request: RequestFields): RequestFields =>
  given.named(request, { keepLength: true })

/** Sends the request with a unique name. A name of one character is replaced a few times, because any may be in use. */
async function takes(
  { send }: Pick<OperationTarget, 'send'>,
  given: Pick<CheckContext['given'], 'named'>,
  request: RequestFields,
  field: string,
): Promise<{ text: string; answer: Answer }> {
  for (let time = 1; ; time++) {
    const named = inFull(given, request)
    const answer = await send(named)
    const text = named[field] as string
    const own = text !== request[field] && text.length === 1
    if (isAccepted(answer) || !own || time === looks.few) return { text, answer }
  }
}

const textsIn = (field: string, texts: readonly string[]): RequestFields[] =>
  texts.map((text) => ({ [field]: text }))

/** All other texts of a request, at the limits in its schema. */
const othersAtMost = (field: string): RequestFields =>
  Object.fromEntries(
    textLimits.flatMap(({ field: other, most }) => (other === field ? [] : [[other, 'é'.repeat(most)]])),
  )
