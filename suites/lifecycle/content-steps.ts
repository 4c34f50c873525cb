/** Steps on content, task runs and the federation. */
import type { FixtureAnswers } from '../../target/fixtures/fixture-kinds.ts'
import type { Request } from '../context/calls.ts'
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
    const answer = await world.context.as[this.by](
      'reassign-items',
      { userName: giver.username, portal: 'host' },
      request,
    )
    if (this.by !== 'contentAdministrator') return world.refused(answer, `${this.by} may not`)
    const theirs = chosen.filter((id) => owners.get(id) === from)
    if (theirs.length === 0) return world.refused(answer, `${giver.name} owns none of them`)
    if (!receiver.eligible) return world.refused(answer, `${receiver.name} may not receive items`)
    // What becomes of a request of which only some items are theirs is open: such a step is not taken further.
    if (theirs.length < chosen.length) return this.#giveUp(world, chosen)
    world.accepted(answer)
    for (const id of chosen) owners.set(id, to)
  }

  /** Where the items are is not known any more: nobody is asked about them again. */
  #giveUp({ model }: World, chosen: readonly string[]): void {
    for (const id of chosen) model.owners.set(id, -1)
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
    const { taskId, runId } = world.accepted(answer)
    world.holds(
      taskId === run.taskId && runId === run.runId,
      'taskId and runId of the path',
      `${taskId}, ${runId}`,
    )
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
  readonly request: Request

  constructor(by: UpdateFederation['by'], request: Request) {
    super()
    this.by = by
    this.request = request
  }

  override async perform(world: World): Promise<void> {
    const { federationId } = world.model
    if (federationId === undefined) return
    world.say(`${this.by} updates the federation`)
    const request = await world.context.given.linked('update-federation', this.request)
    const answer = await world.context.as[this.by](
      'update-federation',
      { federationId, portal: 'host' },
      request,
    )
    if (this.by !== 'organizationAdministrator') return world.refused(answer, `${this.by} may not`)
    const body = world.accepted(answer)
    world.holds(
      body.federationId === federationId,
      `federationId is ${federationId}`,
      `it is ${JSON.stringify(body.federationId)}`,
    )
  }
}
