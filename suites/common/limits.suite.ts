/** §8 Limits: texts are accepted up to the limit and refused beyond it. Covers every limit in a request schema. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { assertViolates, beyondTextLimit, withinTextLimit } from '../../runner/cases/boundaries.ts'
import { eachLeftOut, requestsHolding } from '../../runner/cases/requests.ts'
import { suite } from '../../runner/check.ts'
import { fieldsOf, type RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, OperationTarget } from '../../runner/context/context.ts'
import { isQuick, looks } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type Limit, limitsOf, type RequestSchema, requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'

/** The limit of a text, and the clauses for both sides of it. */
interface TextLimit {
  readonly operation: OperationId
  readonly limit: Limit
  readonly accepts?: ContractRequirementId
  readonly rejects?: ContractRequirementId
}

/** Clauses of the contract for limits. Other limits are judged under the first clause of their operation. */
const clauses: Readonly<Record<string, Pick<TextLimit, 'accepts' | 'rejects'>>> = {
  'add-workspace.collaborationWorkspaceName': {
    accepts: 'add-workspace/name-limit-accepts',
    rejects: 'add-workspace/name-limit-rejects',
  },
  'add-workspace.collaborationWorkspaceDescription': {
    accepts: 'add-workspace/description-limit-accepts',
    rejects: 'add-workspace/description-limit-rejects',
  },
}

/** Every text limit in a request schema. */
const textLimits: readonly TextLimit[] = operationIds.flatMap((operation) =>
  limitsOf(requestSchema(operation))
    .filter(({ keyword }) => keyword === 'maxLength')
    .map((limit) => ({ operation, limit, ...clauses[`${operation}.${limit.field}`] })),
)

for (const each of textLimits) {
  const { operation, limit, accepts, rejects } = each
  const { field, most } = limit
  const { id: main } = operationOf(operation).requirements[0]
  const check = suite(targetNeeds(operation))
  check(
    accepts ?? (`${main}:${field}-limit-accepts` as const),
    { title: `${field} of 1 to ${most} characters is accepted` },
    (context) => acceptsUpTo(context, each),
  )
  check(
    rejects ?? (`${main}:${field}-limit-rejects` as const),
    { title: `${field} of more than ${most} characters is not accepted` },
    (context) => rejectsBeyond(context, each),
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
 * The text of a quick run, at the limit. Its end has many kinds of characters, because a name may get a mark at its start,
 * and none that filters refuse.
 */
const denseWithin = (most: number): string => {
  const end = "한국어 🚀 d'été&漢"
  return '漢'.repeat(most - end.length) + end
}

async function acceptsUpTo(context: CheckContext, { operation, limit }: TextLimit): Promise<void> {
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
    { cases: 'some', examples, quick: holding([denseWithin(most)]) },
  )
  if (isQuick(configuration.run)) return
  // With the other texts at their limits. If those alone are refused, their own checks report it.
  const whole = { ...examples[0], ...othersAtMost(requestSchema(operation), field) }
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

async function rejectsBeyond(context: CheckContext, textLimit: TextLimit): Promise<void> {
  const { given, forAll, expect, control, configuration } = context
  const { operation, limit, accepts, rejects: clause } = textLimit
  const { field, most } = limit
  const schema = requestSchema(operation)
  const call = context.target(operation)
  const rejects = (answer: Answer, before: Answer, size: number): void => {
    const expected = expect(answer, before)
    if (clause !== undefined) expected.toKeep(clause)
    else expected.toBeRefused(`${field} of ${size} characters was accepted`, field)
  }
  const texts = textsBeyond(most)
  const valid = given.requests(operation, { text: 'ordinary', fixed: call.fixed })
  const { seed } = configuration.run
  const examples = requestsHolding(valid, textsIn(field, texts), seed).map((probe, at) => ({
    control: { ...probe, [field]: 'é'.repeat(most) },
    probe,
    field,
    size: [...(texts[at] as string)].length,
  }))
  await forAll(
    beyondTextLimit(valid, limit),
    async (made) => {
      const { size } = made
      const [within, probe] = [inFull(given, made.control), inFull(given, made.probe)]
      assertViolates(schema, fieldsOf(configuration, operation, probe), { field, keyword: 'maxLength' })
      const before = await call.send(within)
      control(before, `the control, a request with ${field} of ${most} characters,`, accepts)
      rejects(await call.send(probe), before, size)
    },
    { cases: 'some', examples, quick: [examples.at(0), examples.at(-2)].flatMap((each) => each ?? []) },
  )
  if (isQuick(configuration.run)) return
  for (const other of await othersWith(context, textLimit, examples[0]?.control)) {
    const before = await call.send(inFull(given, { ...other, [field]: 'é'.repeat(most) }))
    if (!isAccepted(before)) continue
    const probe = inFull(given, { ...other, [field]: 'é'.repeat(most + 1) })
    rejects(await call.send(probe), before, most + 1)
  }
}

/**
 * Other requests in which the limit holds: with all other texts at their limits, and with a parameter left out. If that
 * parameter is required, the refusal shows nothing.
 */
async function othersWith(
  context: CheckContext,
  { operation, limit: { field } }: TextLimit,
  valid: RequestFields | undefined,
): Promise<RequestFields[]> {
  const whole: RequestFields = { ...valid, ...othersAtMost(requestSchema(operation), field) }
  const { fixed } = context.target(operation)
  const leftOut = eachLeftOut(operation, await context.given.request(operation, fixed))
  return [whole, ...leftOut].filter((other) => other[field] !== undefined)
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
function othersAtMost(schema: RequestSchema, field: string): RequestFields {
  return Object.fromEntries(
    limitsOf(schema).flatMap(({ field: other, keyword, most }) =>
      keyword === 'maxLength' && other !== field ? [[other, 'é'.repeat(most)]] : [],
    ),
  )
}
