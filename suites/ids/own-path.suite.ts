/** The ids in an answer are those of its path. Two things of one kind are requested at the same time. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import { suite, usesUp } from '../../runner/check.ts'
import type { At, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { operationJudgedBy } from '../../specs/requirements.ts'

const ids = [
  'add-workspace/collaboration-id',
  'update-task-run/identifiers',
  'update-participant/identifiers',
  'update-federation/identifier',
] as const

for (const id of ids) {
  const operation = operationJudgedBy(id)
  suite(targetNeeds(operation))(id, {}, (context) => namesItsOwnPath(context, id, operation))
}

async function namesItsOwnPath(
  context: CheckContext,
  id: ContractRequirementId,
  operation: OperationId,
): Promise<void> {
  const { given, forAll, control, expect, configuration } = context
  const { fresh, permitted, on, fixed, accepted } = context.target(operation)
  // With only one thing, its id could be the only one that the target ever returns.
  const different = () => given.different(operationOf(operation).on, 2, { least: 1 })
  const lasting = usesUp(operation)
    ? undefined
    : await Promise.all((await different()).map((place) => on(place as Readonly<Record<string, string>>)))
  const requests = given.requests(operation, { text: 'ordinary', fixed })
  const judge = async (request: RequestFields): Promise<void> => {
    const subjects = lasting ?? [await fresh(), await fresh()]
    const answers = await Promise.all(subjects.map(({ call }) => call(permitted, request)))
    for (const answer of answers) {
      control(answer, 'a generated valid request')
      expect(answer).toKeep(id)
    }
  }
  if (lasting === undefined) {
    const { answer } = await accepted()
    control(answer)
    expect(answer).toKeep(id)
  }
  await forAll(requests, judge, lasting === undefined ? { cases: 'few', judged: 1 } : {})
  if (isQuick(configuration.run)) return
  // The same form for both. The contract leaves open whether the second one is accepted.
  const form = await given.request(operation, fixed)
  for (const { at = {} } of lasting ?? []) {
    const answer = await permitted(operation, at as At<OperationId>, form)
    if (isAccepted(answer)) expect(answer).toKeep(id)
  }
}
