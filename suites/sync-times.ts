/** When the syncs that a run started are over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../clauses/acceptance.ts'
import type { FixtureAnswers, FixtureKind } from '../target/fixtures/fixture-kinds.ts'
import type { Answer } from '../target/http/exchange.ts'
import { longestSync } from './sync-length.ts'

/** Larger answers are not read once more for this, in bytes. */
const largestRead = 64 * 1024

export class SyncTimes {
  readonly #unknownMs: number
  /** The longest that a sync takes, by workspace, in ms. */
  readonly #longest = new Map<string, number>()
  /** In ms of `performance.now()`. */
  #overAt = 0

  /** `unknownMs`: how much longer than the least a sync may take where no fixture says it. */
  constructor(unknownMs: number) {
    this.#unknownMs = unknownMs
  }

  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    if (kind === 'scheduledSync') {
      const { remainingMs } = fixture as FixtureAnswers['scheduledSync']
      this.#overAt = Math.max(this.#overAt, performance.now() + remainingMs)
    }
    if (kind === 'workspace') {
      const workspace = fixture as FixtureAnswers['workspace']
      this.#longest.set(workspace.workspaceId, longestSync(workspace, this.#unknownMs))
    }
  }

  /** A sync was asked for, and this was the answer. */
  asked(workspaceId: string, answer: Answer): void {
    if (answer.body.length > largestRead || !acceptance(answer).accepted) return
    const longest = this.#longest.get(workspaceId) ?? this.#unknownMs
    this.#overAt = Math.max(this.#overAt, answer.answeredAt + longest)
  }

  /** Resolves when they are over, as far as fixtures say how long they take. */
  async over(): Promise<void> {
    await sleep(Math.max(0, this.#overAt - performance.now()))
  }
}
