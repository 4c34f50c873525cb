/** Unknown ids must be refused, in every place of a path, even if they resemble a known id. */
import { acceptance } from '../../clauses/acceptance.ts'
import { isOfOneThing } from '../../clauses/facts.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { inTurn } from '../../runner/context/unknown.ts'
import { isQuick, tries } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { inMode, modesOf } from '../../runner/patience/sync-modes.ts'
import { valueAt } from '../../schemas/values.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { nameInFixtures } from '../../specs/paths.ts'
import { operationJudgedBy, type RequirementId, requirementOf } from '../../specs/requirements.ts'

type Place = Readonly<Record<string, string>>

interface UnknownIds {
  readonly id: RequirementId
  readonly operation: OperationId
  /** The parts of the path that get an unknown id. */
  readonly parts: readonly string[]
  /**
   * The control: a valid request at the known place `before` each probe; one that is `shared` with other checks, since
   * it uses up its fixture; or one `afterwards`, since it keeps its fixture busy.
   */
  readonly known: 'before' | 'shared' | 'afterwards'
}

for (const [id, known] of [
  ['add-workspace/unknown-collaboration', 'before'],
  ['update-task-run/unknown-run', 'shared'],
  ['sync-workspace/unknown-workspace', 'afterwards'],
  ['sync-workspace/unknown-collaboration', 'afterwards'],
  ['update-participant/unknown-participant', 'before'],
  ['update-participant/unknown-collaboration', 'before'],
  ['delete-collaboration/unknown-collaboration', 'shared'],
  ['update-federation/unknown-federation', 'before'],
] as const) {
  const operation = operationJudgedBy(id)
  const parts = (requirementOf(id).mustExist ?? []).map(nameInFixtures)
  suite(targetNeeds(operation))(id, {}, (context) => refusesUnknown({ id, operation, parts, known }, context))
}

async function refusesUnknown(row: UnknownIds, context: CheckContext): Promise<void> {
  const { operation, known } = row
  const { given, forAll, control, inSituations } = context
  const { accepted, on, permitted, fixed } = context.target(operation)
  if (known === 'shared') {
    const { request, answer, subject } = await accepted()
    control(answer)
    const probe = { place: subject.at as Place, request, before: [answer] }
    await refusesAll(row, context, probe)
    // Asking again must not make an id known.
    if (tries('thorough', context.configuration.run)) await refusesAll(row, context, probe)
    return
  }
  const place = (await given[operationOf(operation).on]()) as unknown as Place
  if (known === 'afterwards') {
    const requests = modesOf(context.configuration).map((mode) => inMode(context, mode))
    let time = 0
    const refuses = () =>
      refusesAll(row, context, { place, request: requests[time % requests.length] ?? {}, number: time++ })
    await inSituations(refuses)
    // A quick run has no other situations, which would try the other modes.
    if (isQuick(context.configuration.run)) for (const _ of requests.slice(1)) await refuses()
    control(await (await on(place)).call(permitted, {}))
    return
  }
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
  const others = [...Object.entries(place), ...before.flatMap(madeBy)]
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

/** The id of the workspace that the request made. */
function madeBy(answer: Answer): [string, string][] {
  const read = acceptance(answer)
  const id = read.accepted ? valueAt(read.body, 'workspace.id') : undefined
  return typeof id === 'string' ? [['workspaceId', id]] : []
}
