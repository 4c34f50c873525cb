/** A process that judges embedded portals: it takes one alteration at a time and answers with the judgement. */

import { judgeAdministered } from './judge-administered.ts'
import { type Alteration, judgePortal, type PortalJudgement } from './judge-portal.ts'

/** A check that did not pass, without its evidence. */
export interface OpenCheck {
  readonly id: string
  readonly requirement: string
  readonly outcome: string
  readonly requests: number
  /** The failure message, or the reason. */
  readonly why: string
}

/** The answer of the process. */
export type Judged =
  | (Omit<PortalJudgement, 'checks' | 'warned'> & {
      readonly open: readonly OpenCheck[]
      /** How many checks passed. */
      readonly passed: number
    })
  /** The suite broke. */
  | { readonly broke: string }

async function judge(alteration: Alteration): Promise<Judged> {
  try {
    const { logins } = alteration
    const judgement = await (logins === undefined
      ? judgePortal(alteration)
      : judgeAdministered(alteration, logins))
    const { checks, warned: _, ...reported } = judgement
    const open = checks
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ id, requirement, outcome, requests, failure, reason }) => ({
        id,
        requirement,
        outcome,
        requests,
        why: failure?.message ?? reason ?? '',
      }))
    return { ...reported, open, passed: checks.length - open.length }
  } catch (error) {
    return { broke: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (alteration: Alteration) => {
  void judge(alteration).then((judged) => process.send?.(judged))
})
