/** What a run learned about how its target wants to be called, and which requests must not overlap. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { Lanes, OneByOne } from '../lanes.ts'
import { Busy } from './busy.ts'
import { OpenValues } from './open-values.ts'
import { RunUpdater } from './run-updater.ts'
import { longestSyncOf } from './sync-modes.ts'
import { SyncTimes } from './sync-times.ts'
import { SyncTurns } from './sync-turns.ts'

export class Patience {
  /** Edits of one thing, by its id. */
  readonly edits = new OneByOne()
  readonly busy = new Busy()
  /** What was learned about values that the contract leaves open. */
  readonly openValues: OpenValues
  readonly runUpdater: RunUpdater
  readonly syncTimes: SyncTimes
  readonly syncTurns: SyncTurns
  /** Requests that a sync may hold up: half of the places, so that other checks go on. */
  readonly heldUp: Lanes

  constructor(configuration: Configuration) {
    const { http, run, contract } = configuration
    this.openValues = new OpenValues(contract)
    this.runUpdater = new RunUpdater(configuration)
    this.syncTimes = new SyncTimes(run.settleMs, contract, longestSyncOf(configuration))
    this.syncTurns = new SyncTurns(this.syncTimes)
    this.heldUp = new Lanes(Math.floor(http.concurrency / 2))
  }
}
