/** Steps on content, task runs and the federation. */

import type { FixtureAnswers } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import { Step, type World } from './step.ts'

type ContentCaller = 'contentAdministrator' | 'outsider' | 'anonymous'

export class ReassignItems extends Step {
  override readonly operation = 'reassign-items'
  readonly by: ContentCaller
  readonly from: number
  readonly to: number
  /** Which of the items, by their place. */
  readonly which: readonly number[]

  constructor(by: ContentCaller, from: number, to: number, which: readonly number[]) {
    super()
    this.by = by
    this.from = from
    this.to = to
    this.which = which
  }

  override async perform(world: World): Promise<void> {
    const { users, items, owners } = world.model
    const from = this.from % users.length
    const to = this.to % users.length
    const [giver, receiver] = [users[from], users[to]]
    if (giver === undefined || receiver === undefined || from === to) return
    const chosen = [...new Set(this.which.map((at) => items[at % items.length] as string))]
    const named = chosen.map((id) => `item ${items.indexOf(id) + 1}`).join(', ')
    world.say(`${this.by} reassigns ${named} from ${giver.name} to ${receiver.name}`)
    const request = { items: chosen, targetUsername: receiver.username }
    const at = { userName: giver.username, portal: 'host' } as const
    const ask = () => world.context.as[this.by]('reassign-items', at, request)
    if (this.by !== 'contentAdministrator') return world.refused(await ask(), `${this.by} may not`)
    const theirs = chosen.filter((id) => owners.get(id) === from)
    const known = chosen.every((id) => owners.get(id) !== 'unknown')
    // What becomes of a request of which some items are theirs and others not, or not for certain, is open.
    if (!known || (theirs.length > 0 && theirs.length < chosen.length))
      return this.#giveUp(world, await ask())
    if (theirs.length === 0) {
      const answer = await ask()
      // A move may need the settle time until it shows; until then the former owner may seem to have the items.
      if (world.accepts(answer) && chosen.some((id) => world.isUnsettled(id)))
        return this.#giveUp(world, answer)
      return world.refused(answer, `${giver.name} owns none of them`)
    }
    if (!receiver.eligible) return world.refused(await ask(), `${receiver.name} may not receive items`)
    if (chosen.some((id) => world.isUnsettled(id))) await world.acceptedOnceSettled(ask)
    else world.accepted(await ask())
    for (const id of chosen) world.moved(id, to)
  }

  /** Nothing follows from the answer, and where the items are is not known from here on: nothing is expected of them. */
  #giveUp(world: World, answer: Answer): void {
    world.anything(answer)
    for (const at of this.which) {
      const id = world.model.items[at % world.model.items.length] as string
      world.model.owners.set(id, 'unknown')
    }
  }
}

export class UpdateTaskRun extends Step {
  override readonly operation = 'update-task-run'
  readonly known: boolean

  constructor(known: boolean) {
    super()
    this.known = known
  }

  override async perform(world: World): Promise<void> {
    const run = await this.#run(world)
    world.say(`taskOwner updates ${this.known ? 'a run' : 'a run that does not exist'}`)
    const at = this.known ? run : { ...run, runId: world.context.unknownLike(run.runId) }
    const answer = await world.context.as.taskOwner('update-task-run', at, {
      status: 'executing',
      result: '',
    })
    if (!this.known) return world.refused(answer, 'the run does not exist')
    world.accepted(answer)
  }

  /** A fresh one to be updated. */
  #run({ model, context }: World): Promise<FixtureAnswers['taskRun']> {
    if (this.known) return context.given.taskRun()
    const run = untouched.get(model) ?? context.given.taskRun()
    untouched.set(model, run)
    return run
  }
}

/** A run of each world whose id others are made up after: it stays as it is. */
const untouched = new WeakMap<World['model'], Promise<FixtureAnswers['taskRun']>>()

export class UpdateFederation extends Step {
  override readonly operation = 'update-federation'
  readonly by: 'organizationAdministrator' | 'hostMember' | 'anonymous'
  readonly request: RequestFields

  constructor(by: UpdateFederation['by'], request: RequestFields) {
    super()
    this.by = by
    this.request = request
  }

  override async perform(world: World): Promise<void> {
    const { federationId } = world.model
    if (federationId === undefined) return
    world.say(`${this.by} updates the federation`)
    const request = await world.context.given.settingsFor({ federationId }, this.request)
    const answer = await world.context.as[this.by](
      'update-federation',
      { federationId, portal: 'host' },
      request,
    )
    if (this.by !== 'organizationAdministrator') return world.refused(answer, `${this.by} may not`)
    world.accepted(answer)
  }
}
