/** A model of the portal: what exists, who owns what, and what was deleted. Answers are compared with it. */
import { describe, isAccepted, looksFailed } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type FixtureKind, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Unproven } from '../../runner/findings.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'

export type LifecycleContext = CheckContext<ActorName, Exclude<FixtureKind, 'scheduledSync'>>

/** A collaboration of the model. */
export interface ModelCollaboration {
  readonly name: string
  readonly collaborationId: string
  readonly participantPortalId?: string
  readonly workspaceId?: string
  /** Whether it was handed out to be added to and deleted. */
  readonly forChanges: boolean
  /** Whether a sync was requested. The contract leaves open what a second one gets while the first runs. */
  synced: boolean
  deleted: boolean
}

interface ModelUser {
  readonly name: string
  readonly username: string
  readonly eligible: boolean
}

/** The state that the answers must agree with. */
export interface Model {
  readonly collaborations: readonly ModelCollaboration[]
  readonly users: readonly ModelUser[]
  /** Item id to its owner. `unknown` after an answer that left the owner open. */
  readonly owners: Map<string, ModelUser | 'unknown'>
  readonly federationId?: string
  /** Whether there is a group to link. */
  readonly hasGroup: boolean
}

/** Builds the model of one sequence from what is available: two collaborations, three users, four items. */
export async function newModel({ given, parts }: LifecycleContext): Promise<Model> {
  /** Obtains something for an operation, if that is possible here and the provider offers it. */
  const obtained = async <T>(operation: OperationId, obtain: () => Promise<T>) =>
    parts.offers(operation) ? ifOffered(obtain()) : undefined
  const collaborations: ModelCollaboration[] = []
  for (const name of ['A', 'B']) {
    const own = () => given.collaboration({ with: 'participant' })
    const place = (await obtained('add-workspace', own)) ?? (await obtained('delete-collaboration', own))
    const participant = await obtained('update-participant', () => given.participant(place ?? {}))
    const within = place ?? participant
    const options = within && { collaborationId: within.collaborationId }
    // Only A has a workspace to sync.
    const workspace =
      name === 'A' ? await obtained('sync-workspace', () => given.workspace(options)) : undefined
    const { collaborationId } = within ?? workspace ?? {}
    if (collaborationId === undefined) continue
    const { participantPortalId } = participant ?? {}
    const { workspaceId } = workspace ?? {}
    const ids = withoutUndefined({ collaborationId, participantPortalId, workspaceId })
    const forChanges = place !== undefined
    collaborations.push({ name, ...ids, forChanges, synced: false, deleted: false })
  }
  const items = await obtained('reassign-items', () => given.items({ owner: 'itemOwner', count: 4 }))
  const one = items && (await ifOffered(given.receiver()))
  const users: ModelUser[] = []
  if (items !== undefined && one !== undefined) {
    const ineligible = await ifOffered(given.ineligibleUser())
    users.push({ name: 'the first owner', username: items.owner, eligible: true })
    for (const username of new Set([one, await given.receiverBeside(one)]))
      users.push({ name: `user ${users.length}`, username, eligible: true })
    if (ineligible !== undefined)
      users.push({ name: 'an ineligible user', username: ineligible.username, eligible: false })
  }
  const federation = await obtained('update-federation', () => given.federation())
  const group = () => given.linked('add-workspace', {})
  return withoutUndefined({
    collaborations,
    users,
    owners: new Map((items?.itemIds ?? []).flatMap((id) => (users[0] ? [[id, users[0]] as const] : []))),
    federationId: federation?.federationId,
    hasGroup:
      ((await obtained('add-workspace', group)) ?? (await obtained('update-federation', group))) !==
      undefined,
  })
}

/** The operations that are not possible here, or for which the model lacks what they need. */
function lackingIn({ collaborations, users, federationId, hasGroup }: Model, { parts }: LifecycleContext) {
  const isThere: Readonly<Record<OperationId, boolean>> = {
    'add-workspace': hasGroup && collaborations.some(({ forChanges }) => forChanges),
    'update-task-run': true,
    'reassign-items': users.length > 0,
    'sync-workspace': collaborations.some(({ workspaceId }) => workspaceId !== undefined),
    'update-participant': collaborations.some((each) => each.participantPortalId !== undefined),
    'delete-collaboration': collaborations.some(({ forChanges }) => forChanges),
    'update-federation': hasGroup && federationId !== undefined,
  }
  return operationIds.filter((id) => !isThere[id] || !parts.offers(id))
}

/** Compares whether answers accept or refuse with the model. A disagreement is a finding with all steps before it. */
export class World {
  readonly context: LifecycleContext
  readonly model: Model
  /** The operations that this world cannot judge. */
  readonly lacking: Set<OperationId>
  readonly #answers: Answer[] = []
  readonly #steps: string[] = []
  /** When items were moved, in ms of `performance.now()`. */
  readonly #movedAt = new Map<string, number>()

  constructor(context: LifecycleContext, model: Model) {
    this.context = context
    this.model = model
    this.lacking = new Set(lackingIn(model, context))
  }

  /** Records the next step. */
  say(step: string): void {
    this.#steps.push(`${this.#steps.length + 1}. ${step}`)
  }

  /** The answer must be an acceptance. */
  accepted(answer: Answer): void {
    const holds = isAccepted(answer)
    if (!holds && looksFailed(answer)) {
      const why = `${answer.request.about} failed, which its own checks report`
      throw new Unproven(`step ${this.#steps.length} was ${describe(answer)}; but ${why}`, [answer])
    }
    this.#agree(answer, holds, 'accepted')
  }

  /** The answer must be a refusal, for that reason. */
  refused(answer: Answer, because: string): void {
    this.#agree(answer, !isAccepted(answer), `refused: ${because}`)
  }

  /** Records an answer that the contract leaves open. */
  anything(answer: Answer): void {
    this.#answers.push(answer)
  }

  /** Records the new owner of items. */
  moved(ids: readonly string[], to: ModelUser | 'unknown'): void {
    for (const id of ids) {
      this.model.owners.set(id, to)
      this.#movedAt.set(id, performance.now())
    }
  }

  /** Whether one of the items moved so recently that the target need not show it yet. */
  isUnsettled(ids: readonly string[]): boolean {
    const since = performance.now() - this.context.configuration.run.settleMs
    return ids.some((id) => (this.#movedAt.get(id) ?? Number.NEGATIVE_INFINITY) > since)
  }

  #agree(answer: Answer, holds: boolean, expected: string): void {
    const before = [...this.#answers]
    this.#answers.push(answer)
    const message = `step ${this.#steps.length}: the answer of the target contradicts the model of the portal`
    this.context.expect(answer, ...before).toShow(holds, message, {
      expected,
      actual: describe(answer),
      counterexample: this.#steps.join('\n'),
    })
  }
}
