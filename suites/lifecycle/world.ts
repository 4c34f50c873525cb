/** A model of the portal: what exists, who owns what, and what was deleted. Answers are compared with it. */
import { describe, isAccepted, looksFailed } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type FixtureAnswers, type FixtureKind, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
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
  /** Whether it may be added to and deleted. */
  readonly forChanges: boolean
  deleted: boolean
  readonly syncable?: {
    readonly workspaceId: string
    /** Whether a sync was requested. The contract leaves open what a second one gets while the first runs. */
    synced: boolean
  }
}

interface ModelUser {
  readonly name: string
  readonly username: string
  readonly eligible: boolean
}

/** The state that the answers must agree with. */
export interface Model {
  /** The operations for which there is all that they need. */
  readonly can: Set<OperationId>
  readonly collaborations: readonly ModelCollaboration[]
  readonly users: readonly ModelUser[]
  /** Item id to the index of its owner among the users. `unknown` after an answer that left the owner open. */
  readonly owners: Map<string, number | 'unknown'>
  /** When items were moved, by id, in ms of `performance.now()`. */
  readonly movedAt: Map<string, number>
  readonly items: readonly string[]
  readonly federationId: string | undefined
  /** A run that no step changes. Ids of unknown runs are modelled on its id. */
  untouchedRun?: Promise<FixtureAnswers['taskRun']>
  /** The steps so far, for people to read. */
  readonly steps: string[]
}

/** Builds the world of one sequence from what is available: two collaborations, three users, four items. */
export async function newModel({ given, parts }: LifecycleContext): Promise<Model> {
  /** Obtains something for those operations, if one of them is possible here and the provider offers it. */
  const forAnyOf = async <T>(operations: readonly OperationId[], obtain: () => Promise<T>) =>
    operations.some(parts.offers) ? ifOffered(obtain()) : undefined
  const collaborations: ModelCollaboration[] = []
  for (const name of ['A', 'B']) collaborations.push(...(await collaborationCalled(name, given, forAnyOf)))
  const group = await forAnyOf(['add-workspace', 'update-federation'], () =>
    given.linked('add-workspace', {}),
  )
  const { users, owners } = await usersWithItems(given, forAnyOf)
  const federation = group && (await forAnyOf(['update-federation'], () => given.federation()))
  const hasAny = (part: keyof ModelCollaboration): boolean => collaborations.some((each) => each[part])
  const isThere: Readonly<Record<OperationId, boolean>> = {
    'add-workspace': group !== undefined && hasAny('forChanges'),
    'update-task-run': true,
    'reassign-items': users.length > 0,
    'sync-workspace': hasAny('syncable'),
    'update-participant': hasAny('participantPortalId'),
    'delete-collaboration': hasAny('forChanges'),
    'update-federation': federation !== undefined,
  }
  const can = new Set(operationIds.filter((id) => isThere[id] && parts.offers(id)))
  // Rejects with what the provider lacks.
  if (can.size === 0) await given.collaboration()
  return {
    can,
    collaborations,
    users,
    owners,
    movedAt: new Map(),
    items: [...owners.keys()],
    federationId: federation?.federationId,
    steps: [],
  }
}

type Obtain = <T>(operations: readonly OperationId[], obtain: () => Promise<T>) => Promise<T | undefined>

/** A collaboration of the world. Only A has a workspace to sync. None if there are no fixtures for it. */
async function collaborationCalled(
  name: string,
  given: LifecycleContext['given'],
  forAnyOf: Obtain,
): Promise<ModelCollaboration[]> {
  // Only collaborations handed out for that purpose may be added to or deleted.
  const place = await forAnyOf(['add-workspace', 'delete-collaboration'], () =>
    given.collaboration({ with: 'participant' }),
  )
  const participant = await forAnyOf(['update-participant'], () => given.participant(place ?? {}))
  const within = place ?? participant
  const options = within === undefined ? {} : { collaborationId: within.collaborationId }
  const workspace =
    name === 'A' ? await forAnyOf(['sync-workspace'], () => given.workspace(options)) : undefined
  const { collaborationId } = within ?? workspace ?? {}
  if (collaborationId === undefined) return []
  return [
    withoutUndefined({
      name,
      collaborationId,
      participantPortalId: participant?.participantPortalId,
      forChanges: place !== undefined,
      deleted: false,
      syncable: workspace && { workspaceId: workspace.workspaceId, synced: false },
    }),
  ]
}

/** The users, and the items of the first user. None if there are no fixtures for them. */
async function usersWithItems(
  given: LifecycleContext['given'],
  forAnyOf: Obtain,
): Promise<Pick<Model, 'users' | 'owners'>> {
  const able = await forAnyOf(['reassign-items'], async () => {
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 4 })
    const one = await given.receiver()
    return { owner, itemIds, receivers: [...new Set([one, await given.receiverBeside(one)])] }
  })
  if (able === undefined) return { users: [], owners: new Map() }
  const ineligible = await ifOffered(given.ineligibleUser())
  const users = [
    { name: 'the first owner', username: able.owner, eligible: true },
    ...able.receivers.map((username, at) => ({
      name: `user ${at === 0 ? 'one' : 'two'}`,
      username,
      eligible: true,
    })),
    ...(ineligible === undefined
      ? []
      : [{ name: 'an ineligible user', username: ineligible.username, eligible: false }]),
  ]
  return { users, owners: new Map(able.itemIds.map((id) => [id, 0])) }
}

/** Compares whether answers accept or refuse with the model. A disagreement is a finding with all steps before it. */
export class World {
  readonly context: LifecycleContext
  readonly model: Model
  readonly #answers: Answer[] = []

  constructor(context: LifecycleContext, model: Model) {
    this.context = context
    this.model = model
  }

  /** Records the next step. */
  say(step: string): void {
    this.model.steps.push(step)
  }

  /** The answer must be an acceptance. */
  accepted(answer: Answer): void {
    const holds = isAccepted(answer)
    if (!holds && looksFailed(answer)) {
      const why = `${answer.request.about} failed, which its own checks report`
      throw new Unproven(`step ${this.model.steps.length} was ${describe(answer)}; but ${why}`, [answer])
    }
    this.#agree(answer, holds, 'accepted')
  }

  /** The answer must be a refusal, for that reason. */
  refused(answer: Answer, because: string): void {
    this.#agree(answer, !isAccepted(answer), `refused: ${because}`)
  }

  /** Like `accepted`, but the target may need the settle time first. */
  async acceptedOnceSettled(ask: () => Promise<Answer>): Promise<void> {
    this.accepted(await this.context.wait.retryUntil(ask, isAccepted))
  }

  /** Records the new owner of an item. */
  moved(id: string, to: number): void {
    this.model.owners.set(id, to)
    this.model.movedAt.set(id, performance.now())
  }

  /** Whether an item moved so recently that the target need not show it yet. */
  isUnsettled(id: string): boolean {
    const at = this.model.movedAt.get(id)
    return at !== undefined && performance.now() - at < this.context.configuration.run.settleMs
  }

  /** Like `refused`, but the target may need the settle time first. */
  async refusedOnceSettled(ask: () => Promise<Answer>, because: string): Promise<void> {
    this.refused(await this.context.wait.retryUntil(ask, (answer) => !isAccepted(answer)), because)
  }

  /** Records an answer that the contract leaves open. */
  anything(answer: Answer): void {
    this.#answers.push(answer)
  }

  #agree(answer: Answer, holds: boolean, expected: string): void {
    const before = [...this.#answers]
    this.#answers.push(answer)
    const steps = this.model.steps.map((step, at) => `${at + 1}. ${step}`)
    this.context
      .expect(answer, ...before)
      .toShow(holds, `step ${steps.length}: the answer of the target contradicts the model of the portal`, {
        expected,
        actual: describe(answer),
        counterexample: steps.join('\n'),
      })
  }
}
