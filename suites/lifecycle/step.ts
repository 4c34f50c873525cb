/** A step of a sequence, and the world it happens in: what was expected of each answer, and what came. */
import type fc from 'fast-check'
import { acceptance, describe } from '../../clauses/acceptance.ts'
import { looksFailed } from '../../clauses/portal-like.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { Unproven } from '../../runner/findings.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { LifecycleContext, Model } from './world.ts'

/** One thing that somebody does. */
export abstract class Step implements fc.AsyncCommand<Model, World> {
  abstract readonly operation: OperationId
  abstract perform(world: World): Promise<void>

  /** Every step can be taken at any time: what its answer must be is the model's affair. */
  check(): boolean {
    return true
  }

  async run(_model: Model, world: World): Promise<void> {
    if (world.context.offers(this.operation)) await this.perform(world)
  }

  toString(): string {
    return this.constructor.name
  }
}

/** Holds answers against the model, and not what is in them: a disagreement is a finding with all steps that led to it. */
export class World {
  readonly context: LifecycleContext
  readonly model: Model
  readonly #answers: Answer[] = []

  constructor(context: LifecycleContext, model: Model) {
    this.context = context
    this.model = model
  }

  /** Notes the step that is about to be taken. */
  say(step: string): void {
    this.model.steps.push(step)
  }

  /** The answer must be an acceptance. */
  accepted(answer: Answer): void {
    const holds = this.accepts(answer)
    if (!holds && looksFailed(answer)) {
      const why = `${answer.request.about} failed, which its own checks look at`
      throw new Unproven(`step ${this.model.steps.length} was ${describe(answer)}; but ${why}`, [answer])
    }
    this.#agree(answer, holds, 'accepted')
  }

  /** The answer must be a refusal, for that reason. */
  refused(answer: Answer, because: string): void {
    this.#agree(answer, !this.accepts(answer), `refused: ${because}`)
  }

  /** Whether the answer is an acceptance, of which nothing is expected yet. */
  accepts(answer: Answer): boolean {
    return acceptance(answer).accepted
  }

  /** As `accepted`, but a target may need the settle time until it is. */
  async acceptedOnceSettled(ask: () => Promise<Answer>): Promise<void> {
    this.accepted(await this.context.settled(ask, (answer) => this.accepts(answer)))
  }

  /** Notes that an item has another owner from now on. */
  moved(id: string, to: number): void {
    this.model.owners.set(id, to)
    this.model.movedAt.set(id, performance.now())
  }

  /** Whether an item was moved so lately that the target need not show it yet. */
  isUnsettled(id: string): boolean {
    const at = this.model.movedAt.get(id)
    return at !== undefined && performance.now() - at < this.context.configuration.run.settleMs
  }

  /** As `refused`, but a target may need the settle time until it is. */
  async refusedOnceSettled(ask: () => Promise<Answer>, because: string): Promise<void> {
    this.refused(await this.context.settled(ask, (answer) => !this.accepts(answer)), because)
  }

  /** An answer on which the contract is open. */
  anything(answer: Answer): void {
    this.#answers.push(answer)
  }

  #agree(answer: Answer, holds: boolean, expected: string): void {
    const before = [...this.#answers]
    this.#answers.push(answer)
    const steps = this.model.steps.map((step, at) => `${at + 1}. ${step}`)
    this.context
      .expect(answer, ...before)
      .toShow(holds, `step ${steps.length} had another answer than the model of the portal`, {
        expected,
        actual: describe(answer),
        counterexample: steps.join('\n'),
      })
  }
}
