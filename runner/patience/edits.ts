/** Edits of one thing at the same moment: whether a deployment refuses all but one of them is open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { Lanes } from '../lanes.ts'
import { remembered } from '../remembered.ts'

/** After so many refusals beside another edit that were none of it, or so many acceptances, nobody asks any more. */
const mostVain = 60
const enoughAccepted = 20

/** Two plain edits of a thing at once, and one alone after them; whether each was accepted. */
export interface TwoAtOnce {
  readonly together: readonly boolean[]
  readonly alone: boolean
}

/** So often that must show which tells a deployment of that kind from one that refuses now and then. */
const rounds = 4
/** On a busy machine two that are sent at once need not meet: once that says nothing. */
const mayMiss = 1

interface Thing {
  readonly lane: Lanes
  /** Requests about it that are under way. */
  under: number
  /** How often it happened that one began while another was under way. */
  meetings: number
  /** Resolves when somebody who wants it for himself has done. */
  held?: Promise<unknown>
}

/** What is known of an operation: who may do one may not do another any more, once his credential has ended. */
interface Known {
  vain: number
  accepted: number
  /** What it said, tried twice at once. */
  exclusive?: Promise<boolean>
}

export class Edits {
  readonly #things = new Map<string, Thing>()
  readonly #operations = new Map<OperationId, Known>()
  #known = false
  #asking = 0

  /** Whether this deployment is known to refuse edits beside another: they go one after the other then. */
  get oneByOne(): boolean {
    return this.#known
  }

  /**
   * Asks for an edit of that thing by one who may. What is refused beside another edit is asked for again, alone.
   * `tryTwo`: absent where the same may be asked for any number of times.
   */
  async of<A extends Answer>(
    operation: OperationId,
    key: string,
    ask: () => Promise<A>,
    tryTwo?: () => Promise<TwoAtOnce>,
  ): Promise<A> {
    const thing = remembered(this.#things, key, () => ({ lane: new Lanes(1), under: 0, meetings: 0 }))
    if (this.#known) return alone(thing, ask)
    while (thing.held !== undefined) await thing.held
    const before = thing.meetings
    const met = thing.under > 0
    if (met) thing.meetings += 1
    thing.under += 1
    let answer: A
    try {
      answer = await ask()
    } finally {
      thing.under -= 1
    }
    const beside = met || thing.meetings > before
    const known = remembered(this.#operations, operation, () => ({ vain: 0, accepted: 0 }))
    if (!beside || this.#isDecided(known)) return answer
    if (isAccepted(answer)) {
      known.accepted += 1
      return answer
    }
    this.#asking += 1
    try {
      const again = await alone(thing, ask)
      if (!isAccepted(again)) {
        known.vain += 1
        return answer
      }
      // Where there is nothing to try it on, nothing is known.
      const trial = tryTwo ?? (() => alone(thing, () => theSameTwice(ask)))
      known.exclusive ??= isExclusive(trial).catch(() => false)
      if (await known.exclusive) this.#known = true
      return this.#known ? again : answer
    } finally {
      this.#asking -= 1
    }
  }

  /** Whether nobody asks any more, since edits are seen not to keep each other off. */
  #isDecided({ exclusive, vain, accepted }: Known): boolean {
    if (this.#asking > 0 || this.#known) return false
    return exclusive !== undefined || vain >= mostVain || accepted >= enoughAccepted
  }
}

/** Asks while nobody else does. */
async function alone<Asked>(thing: Thing, ask: () => Promise<Asked>): Promise<Asked> {
  return thing.lane.run(async () => {
    const asked = quiet(thing).then(ask)
    thing.held = asked.catch(() => undefined)
    try {
      return await asked
    } finally {
      delete thing.held
    }
  })
}

const pollMs = 5

async function quiet(thing: Thing): Promise<void> {
  while (thing.under > 0) await sleep(pollMs)
}

async function theSameTwice(ask: () => Promise<Answer>): Promise<TwoAtOnce> {
  const together = await Promise.all([ask(), ask()])
  return { together: together.map(isAccepted), alone: isAccepted(await ask()) }
}

async function isExclusive(tryTwo: () => Promise<TwoAtOnce>): Promise<boolean> {
  let missed = 0
  for (let shown = 0; shown < rounds; ) {
    const { together, alone } = await tryTwo()
    if (!alone) return false
    if (!together.every((accepted) => accepted)) shown += 1
    else if (++missed > mayMiss) return false
  }
  return true
}
