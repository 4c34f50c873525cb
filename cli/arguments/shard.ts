/** One part of several runs that share the work; merging puts their results together again. */
import type { PlannedCheck } from '../../runner/plan.ts'
import { inAnotherShard } from '../../runner/shard-reason.ts'
import { suiteFiles } from '../../runner/suite-files.ts'

export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

/** The suite files of a shard; all of them without one. Each file is in exactly one shard. */
export function filesOfShard(shard: Shard | undefined): readonly string[] {
  if (shard === undefined) return suiteFiles
  return suiteFiles.filter((_, at) => at % shard.count === shard.index - 1)
}

/** The plan of a shard: what stands in the files of others is not tested here. */
export function planOfShard(planned: readonly PlannedCheck[], files: readonly string[]): PlannedCheck[] {
  return planned.map((plan) =>
    files.includes(plan.file)
      ? plan
      : { ...plan, without: { outcome: 'not-tested', reason: inAnotherShard } },
  )
}
