/** §8 Limits: accepted up to the limit, not accepted beyond it. Every limit that a request schema states is judged. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { assertViolates, beyondTextLimit, withinTextLimit } from '../../runner/cases/boundaries.ts'
import { eachLeftOut } from '../../runner/cases/requests.ts'
import { suite } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import { fieldsOf, type RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, OperationTarget } from '../../runner/context/context.ts'
import { tries } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type Limit, limitsOf, type RequestSchema, requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'

/** Clauses that the contract has for a limit; any further limit of a schema is judged under the first of its operation. */
const clauses: Readonly<Record<string, string>> = {
  'add-workspace.collaborationWorkspaceName': 'add-workspace/name-limit',
  'add-workspace.collaborationWorkspaceDescription': 'add-workspace/description-limit',
}

/** The check that proves one side of a limit. */
function limitCheck(operation: OperationId, { field }: Limit, side: 'accepts' | 'rejects'): CheckId {
  const clause = clauses[`${operation}.${field}`]
  const { id: main } = operationOf(operation).requirements[0]
  return (clause === undefined ? `${main}:${field}-limit-${side}` : `${clause}-${side}`) as CheckId
}

for (const operation of operationIds) {
  const schema = requestSchema(operation)
  for (const limit of limitsOf(schema)) if (limit.keyword === 'maxLength') judgeTextLimit(operation, limit)
}

function judgeTextLimit(operation: OperationId, limit: Limit): void {
  const schema = requestSchema(operation)
  const check = suite(targetNeeds(operation))
  const { field, most } = limit
  const named = clauses[`${operation}.${field}`]
  const sideOf = (side: 'accepts' | 'rejects') =>
    named === undefined ? undefined : (`${named}-${side}` as ContractRequirementId)
  const clause = sideOf('rejects')

  check(
    limitCheck(operation, limit, 'accepts'),
    {
      title: `${field} of 1 to ${most} characters is accepted`,
    },
    async (context) => {
      const { given, forAll, expect, configuration } = context
      const call = context.target(operation)
      const valid = given.requests(operation, { text: 'ordinary', fixed: call.fixed })
      const requests = withinTextLimit(valid, limit)
      // The first ones are looked at in other situations as well.
      const texts = [
        // Characters that are longer once they are escaped for a page or a query count as one each, too. Few of them, since
        // a filter may count what is neither letter nor digit.
        'R&D of roads and rivers '
          .repeat(most)
          .slice(0, most - 1)
          .concat('&'),
        // In whatever script, and beyond the Basic Multilingual Plane.
        'Zoë 漢字 한국어 हिन्दी שלום سلام Ελλάδα Ёж 𠀀 🚀'.slice(0, most),
        ...['é', '漢', 'a'].flatMap((character) => [most, most - 1, 1].map((size) => character.repeat(size))),
      ]
      const examples = requestsWith(valid, configuration.run.seed, field, texts)
      await forAll(
        requests,
        async (request) => {
          const { text, answer } = await takes(call, given, request, field)
          expect(answer).toBeAccepted(
            `${field} of ${[...text].length} characters: ${JSON.stringify(text)}`,
            field,
          )
        },
        { cases: 'some', examples },
      )
      if (!tries('every', configuration.run)) return
      // Together with the others at their limits; where these alone are not taken, that is theirs to tell.
      const whole = { ...examples[0], ...othersAtMost(schema, field) }
      const before = await call.send(inFull(given, { ...whole, [field]: 'éé' }))
      if (!isAccepted(before)) return
      expect(await call.send(inFull(given, { ...whole, [field]: 'é'.repeat(most) })), before).toBeAccepted(
        `${field} of ${most} characters, with all other texts at their limits`,
        field,
      )
    },
  )

  check(
    limitCheck(operation, limit, 'rejects'),
    {
      title: `${field} of more than ${most} characters is not accepted`,
    },
    async (context) => {
      const { given, forAll, expect, control, configuration } = context
      const call = context.target(operation)
      const rejects = (answer: Answer, before: Answer, size: number): void => {
        const expected = expect(answer, before)
        if (clause !== undefined) expected.toKeep(clause)
        else expected.toBeRefused(`${field} of ${size} characters was accepted`, field)
      }
      const valid = given.requests(operation, { text: 'ordinary', fixed: call.fixed })
      const sizes = [most + 1, most + 2, most + 10, 1001, 1025, 5000, 7001].filter((size) => size > most)
      // The last of them is shorter where spaces are not counted, or escapes are undone.
      const spaced = 'é%41b '.repeat(most).slice(0, most).concat('x')
      const texts = [...sizes.map((size) => 'é'.repeat(size)), spaced]
      const examples = requestsWith(valid, configuration.run.seed, field, texts).map((probe, at) => ({
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
          control(before, `the control, a request with ${field} of ${most} characters,`, sideOf('accepts'))
          rejects(await call.send(probe), before, size)
        },
        { cases: 'some', examples },
      )
      if (!tries('every', configuration.run)) return
      // It holds also where all other texts are at their limits, and where a parameter is left out that need not be there:
      // where it must be, this shows nothing.
      const whole: RequestFields = { ...examples[0]?.control, ...othersAtMost(schema, field) }
      const others = [whole, ...eachLeftOut(operation, await given.request(operation, call.fixed))]
      for (const other of others) {
        if (other[field] === undefined) continue
        const before = await call.send(inFull(given, { ...other, [field]: 'é'.repeat(most) }))
        if (!isAccepted(before)) continue
        const probe = inFull(given, { ...other, [field]: 'é'.repeat(most + 1) })
        rejects(await call.send(probe), before, most + 1)
      }
    },
  )
}

/** The request with a name of its own where it holds one, all texts as long as they are. */
const inFull = (given: Pick<CheckContext['given'], 'named'>, request: RequestFields): RequestFields =>
  given.named(request, { keepLength: true })

/** So many names of one character are tried, since each may be somebody's already. */
const shortNames = 4

/** Sends the request under a name of its own; a name of one character is replaced as long as it is refused. */
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
    if (isAccepted(answer) || !own || time === shortNames) return { text, answer }
  }
}

/** Valid requests that hold these texts in that field, for the cases that no run may miss. */
function requestsWith(
  valid: fc.Arbitrary<RequestFields>,
  seed: number,
  field: string,
  texts: readonly string[],
): RequestFields[] {
  return fc
    .sample(valid, { seed, numRuns: texts.length })
    .map((request, at) => ({ ...request, [field]: texts[at] }))
}

/** Every other text of a request at the limit that its schema states for it. */
function othersAtMost(schema: RequestSchema, field: string): RequestFields {
  return Object.fromEntries(
    limitsOf(schema).flatMap(({ field: other, keyword, most }) =>
      keyword === 'maxLength' && other !== field ? [[other, 'é'.repeat(most)]] : [],
    ),
  )
}
