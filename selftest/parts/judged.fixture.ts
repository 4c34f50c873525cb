/** Judgements of portals, made by hand. */
import type { RequirementId } from '../../specs/requirements.ts'
import type { Judged, OpenCheck } from '../judgement.ts'
import type { Row, Trial } from './part.ts'

export const sizesAsText = {
  id: 'sizes-as-text',
  kind: 'what answers hold',
  sentence: 'A size is <text> | not a number.',
  breaks: ['add-workspace/config-fields'],
  alter: () => undefined,
} as const

export const judgedWith = (changes: Partial<Judged> = {}): Judged => ({
  passed: 1,
  open: [],
  failed: [],
  breaches: [],
  requests: 100,
  drawn: 0,
  durationMs: 2100,
  ...changes,
})

export const openCheck = (outcome: string, changes: Partial<OpenCheck> = {}): OpenCheck => ({
  id: 'x',
  requirement: 'add-workspace/creates',
  outcome,
  requests: 1,
  why: 'because',
  ...changes,
})

/** These requirements failed, each by a check with 9 requests and one with 4. */
export const judgedFailed = (...failed: readonly RequirementId[]): Judged =>
  judgedWith({
    failed,
    open: failed.flatMap((requirement) =>
      [9, 4].map((requests, at) =>
        openCheck('failed', { id: `${requirement}:${at}`, requirement, requests }),
      ),
    ),
  })

/** The rows of trials that run one after the other, and only once. */
export async function rowsOf<R extends Row>(trials: readonly Trial<R>[]): Promise<R[]> {
  const rows: R[] = []
  for (const trial of trials.toSorted((one, other) => (one.turn ?? 0) - (other.turn ?? 0)))
    rows.push((await trial.company?.()) ?? (await trial.run()))
  return rows
}
