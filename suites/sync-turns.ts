/** Whether a running sync holds up other workspaces is open (§4.4): where it does, the syncs of different workspaces take turns. */

import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 20

export interface SyncsOfTheTarget {
  /** Asks the target, while no check asks for a sync, whether a running sync holds up another workspace. */
  readonly holdUp: () => Promise<boolean>
  /** Resolves when the syncs that were started are over. */
  readonly over: () => Promise<void>
  /** How long requests that are under way are waited for, in ms: some may wait for one that must wait now. */
  readonly patienceMs: number
}

export class SyncTurns {
  readonly #target: SyncsOfTheTarget
  #mode: 'free' | 'being decided' | 'in turns' = 'free'
  #decided: Promise<boolean> | undefined
  /** The workspace whose turn it is. */
  #turn: string | undefined
  /** How many requests for a sync are under way. */
  #asking = 0
  readonly #waiting: (() => void)[] = []

  constructor(target: SyncsOfTheTarget) {
    this.#target = target
  }

  /** Whether turns are taken now. */
  get taken(): boolean {
    return this.#mode === 'in turns'
  }

  /** Something that syncs met with trouble. Resolves with whether turns are taken from now on, which may be why. */
  needed(): Promise<boolean> {
    this.#decided ??= this.#decide()
    return this.#decided
  }

  /** Asks for a sync of that workspace when it is its turn. */
  async of<T>(workspaceId: string, ask: () => Promise<T>): Promise<T> {
    while (!this.#begins(workspaceId)) await new Promise<void>((go) => this.#waiting.push(go))
    try {
      return await ask()
    } finally {
      this.#asking -= 1
      if (this.#asking === 0 && this.#mode === 'in turns') void this.#endTurn()
    }
  }

  #begins(workspaceId: string): boolean {
    if (this.#mode === 'being decided') return false
    if (this.#mode === 'in turns') {
      this.#turn ??= workspaceId
      if (this.#turn !== workspaceId) return false
    }
    this.#asking += 1
    return true
  }

  async #decide(): Promise<boolean> {
    this.#mode = 'being decided'
    try {
      const latest = performance.now() + this.#target.patienceMs
      while (this.#asking > 0 && performance.now() < latest) await sleep(pollMs)
      await this.#target.over()
      const held = await this.#target.holdUp()
      this.#mode = held ? 'in turns' : 'free'
      return held
    } finally {
      if (this.#mode === 'being decided') this.#mode = 'free'
      this.#letGo()
    }
  }

  /** A turn ends with the sync that it was for. */
  async #endTurn(): Promise<void> {
    await this.#target.over()
    if (this.#asking > 0) return
    this.#turn = undefined
    this.#letGo()
  }

  #letGo(): void {
    for (const go of this.#waiting.splice(0)) go()
  }
}
