/** The process in which embedded portals are judged: takes one alteration at a time, and answers with what came of it. */

import { withoutUndefined } from '../schemas/without-undefined.ts'
import { judgeAdministered } from './judge-administered.ts'
import { type Alteration, judgePortal } from './judge-portal.ts'
import type { RecordedBreach } from './portal-recording.ts'

/** A check that did not pass, without its evidence. */
export interface OpenCheck {
  readonly id: string
  readonly requirement: string
  readonly outcome: string
  readonly requests: number
  /** The message of its failure, or its reason. */
  readonly why: string
}

/** What the process answers. */
export type Judged =
  | {
      readonly failed: readonly string[]
      readonly open: readonly OpenCheck[]
      readonly breaches: readonly RecordedBreach[]
      readonly looks: number
      /** How many checks passed. */
      readonly passed: number
      readonly requests: number
      /** Where the run made its fixtures: what was left, gone or changed at its end. */
      readonly left?: readonly string[]
      readonly durationMs: number
    }
  /** The suite broke. */
  | { readonly broke: string }

async function judge(alteration: Alteration): Promise<Judged> {
  try {
    const { logins } = alteration
    const { checks, failed, breaches, looks, requests, left, durationMs } = await (logins === undefined
      ? judgePortal(alteration)
      : judgeAdministered(alteration, logins))
    const open = checks
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ id, requirement, outcome, requests, failure, reason }) => ({
        id,
        requirement,
        outcome,
        requests,
        why: failure?.message ?? reason ?? '',
      }))
    const passed = checks.length - open.length
    return withoutUndefined({ failed, open, breaches, looks, requests, durationMs, passed, left })
  } catch (error) {
    return { broke: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (alteration: Alteration) => {
  void judge(alteration).then((judged) => process.send?.(judged))
})
