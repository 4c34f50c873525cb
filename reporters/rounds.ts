/** What several rounds of a run add up to. Pure. */
import { addedUp } from '../runner/log/counts.ts'
import type { RequirementId } from '../specs/requirements.ts'
import type { RequirementResult, Results } from './results.ts'

/** The answers that showed a requirement in any round. */
export function looksTogether(id: RequirementId, all: readonly Results[]): Pick<RequirementResult, 'looks'> {
  const several = all.flatMap(({ requirements }) =>
    requirements.flatMap((requirement) => (requirement.id === id ? (requirement.looks ?? []) : [])),
  )
  if (several.length === 0) return {}
  const sum = (of: 'exchanges' | 'kept'): number => several.reduce((total, looks) => total + looks[of], 0)
  const situations = addedUp(several.map((looks) => looks.situations ?? {}))
  return { looks: { exchanges: sum('exchanges'), kept: sum('kept'), situations } }
}

/** The requests that the target throttled in all rounds together; the pace is the slowest one. */
export function putOffTogether(all: readonly Results[]): Pick<Results['run'], 'putOff'> {
  const putOffs = all.flatMap(({ run }) => run.putOff ?? [])
  if (putOffs.length === 0) return {}
  const busy = putOffs.reduce((sum, each) => sum + (each.busy ?? 0), 0)
  const paces = putOffs.flatMap(({ perSecond }) => perSecond ?? [])
  return {
    putOff: {
      throttled: putOffs.reduce((sum, each) => sum + each.throttled, 0),
      unavailable: putOffs.reduce((sum, each) => sum + each.unavailable, 0),
      ...(busy === 0 ? {} : { busy }),
      ...(paces.length === 0 ? {} : { perSecond: Math.min(...paces) }),
    },
  }
}
