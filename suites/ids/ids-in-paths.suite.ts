/** The ids of a path: those in an answer are the same, and unknown ones are refused in every place. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import { isOfOneThing } from '../../clauses/facts.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite, usesUp } from '../../runner/check.ts'
import type { At, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { inTurn, isQuick, isThorough } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { inMode, modesOf } from '../../runner/patience/sync-times.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { nameInFixtures } from '../../specs/paths.ts'
import { operationJudgedBy, requirementOf } from '../../specs/requirements.ts'
import { idIn } from '../common/collaborations.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** The ids of a thing. */
type Place = Readonly<Record<string, string>>

/** Fields of answers repeat ids of the path. Two things of one kind are requested at the same time. */
const repeatedIds = [
  'add-workspace/collaboration-id',
  'update-task-run/identifiers',
  'update-participant/identifiers',
  'update-federation/identifier',
] as const

for (const id of repeatedIds) {
  const operation = operationJudgedBy(id)
  suite(checks, targetNeeds(operation))(id, {}, (context) => namesItsOwnPath(context, id, operation))
}

async function namesItsOwnPath(
  context: CheckContext,
  id: ContractRequirementId,
  operation: OperationId,
): Promise<void> {
  const { given, forAll, control, expect, configuration } = context
  const { fresh, permitted, on, fixed, controlled } = context.target(operation)
  // With only one thing, its id could be the only one that the target ever returns.
  const different = () => given.different(operationOf(operation).on, 2, { least: 1 })
  const lasting = usesUp(operation)
    ? undefined
    : await Promise.all((await different()).map((place) => on(place as Place)))
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
    expect((await controlled()).answer).toKeep(id)
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

/** Ids that nothing has, however much they resemble a known one. */
for (const id of [
  'add-workspace/unknown-collaboration',
  'update-task-run/unknown-run',
  'sync-workspace/unknown-workspace',
  'sync-workspace/unknown-collaboration',
  'update-participant/unknown-participant',
  'update-participant/unknown-collaboration',
  'delete-collaboration/unknown-collaboration',
  'update-federation/unknown-federation',
] as const) {
  const operation = operationJudgedBy(id)
  // The parts of the path that get an unknown id.
  const parts = (requirementOf(id).mustExist ?? []).map(nameInFixtures)
  suite(checks, targetNeeds(operation))(id, {}, (context) => refusesUnknown({ operation, parts }, context))
}

interface UnknownIds {
  readonly operation: OperationId
  readonly parts: readonly string[]
}

/** The control is a valid request at the known place: before each probe; shared if it uses up its fixture. */
async function refusesUnknown(row: UnknownIds, context: CheckContext): Promise<void> {
  const { operation } = row
  if (operation === 'sync-workspace') return refusesUnknownToSync(row, context)
  const { given, forAll, control } = context
  const { controlled, on, permitted, fixed } = context.target(operation)
  if (usesUp(operation)) {
    const { request, answer, subject } = await controlled()
    const probe = { place: subject.at as Place, request, before: [answer] }
    // Twice, because asking again must not make an id known.
    for (let time = isThorough(context.configuration.run) ? 2 : 1; time > 0; time -= 1)
      await refusesAll(row, context, probe)
    return
  }
  const place = (await given[operationOf(operation).on]()) as unknown as Place
  const { call } = await on(place)
  await forAll(
    given.requests(operation, { text: 'ordinary', fixed }),
    async (request, number) => {
      const before = await call(permitted, request)
      control(before)
      await refusesAll(row, context, { place, request, number, before: [before] })
    },
    { cases: 'few' },
  )
}

/** In each mode. The control comes last, because it keeps its workspace busy. */
async function refusesUnknownToSync(row: UnknownIds, context: CheckContext): Promise<void> {
  const { configuration, given } = context
  const place = (await given.workspace()) as unknown as Place
  const requests = modesOf(configuration).map((mode) => inMode(context, mode))
  let number = 0
  const refuses = () =>
    refusesAll(row, context, { place, request: requests[number % requests.length] ?? {}, number: number++ })
  await context.inSituations(refuses)
  // A quick run has no other situations, which would try the other modes.
  if (isQuick(configuration.run)) for (const _ of requests.slice(1)) await refuses()
  const { on, permitted } = context.target('sync-workspace')
  context.control(await (await on(place)).call(permitted, {}))
}

interface Probe {
  readonly place: Place
  readonly request: RequestFields
  readonly number?: number
  readonly before?: readonly Answer[]
}

async function refusesAll(
  row: UnknownIds,
  context: CheckContext,
  { place, request, number = 0, before = [] }: Probe,
): Promise<void> {
  const { on, permitted } = context.target(row.operation)
  for (const part of row.parts)
    for (const id of unknownIds(row, context, { place, part, number, before })) {
      const { call } = await on({ ...place, [part]: id })
      context
        .expect(await call(permitted, request), ...before)
        .toBeRefused(`an unknown ${part} was accepted: ${id}`)
    }
}

/** Unknown ids for that part of the path. Each is once the first after the control. */
function unknownIds(
  { operation, parts }: UnknownIds,
  { given: { ids }, configuration }: CheckContext,
  { place, part, number, before }: Required<Omit<Probe, 'request'>> & { readonly part: string },
): readonly string[] {
  const known = place[part] as string
  const nobodys = ids.nobodysLike(known)
  // An id that resembles a known one may exist, and would be lost.
  if (operation === 'delete-collaboration') return [nobodys]
  const made = before.flatMap((answer) => idIn(answer) ?? []).map((id) => ['workspaceId', id] as const)
  const others = [...Object.entries(place), ...made]
    .filter(([name, id]) => name.endsWith('Id') && name !== part && id !== known)
    .map(([, id]) => id)
  const resembling = [
    ...ids.ofAnotherKind(part.replace(/Id$/, 'ID'), others),
    ...ids.partlyResembling(known),
    // No user of that name has this run.
    ...(part === 'userName' && isOfOneThing(place.runId as string)
      ? [known.slice(0, -1), `${known}x`, ...ids.namesLike(known)]
      : []),
  ].filter((id) => id !== '')
  // A target that takes any id for a known one also takes one that resembles it. The last two find most.
  if (isQuick(configuration.run)) {
    if (resembling.length < 2) return [nobodys, ...resembling]
    return number === 0 ? resembling.slice(-2) : resembling.slice(0, 2)
  }
  // Asking again must not make an id known.
  if (number === 0) return [nobodys, nobodys, ...(parts.length > 1 ? resembling : [])]
  return [...inTurn(resembling, 3 * (number - 1), 4), nobodys]
}
