/** From the results of all shards of a run to those of the whole run. Pure. */
import { createHash } from 'node:crypto'
import type { CheckId } from '../../runner/check-result.ts'
import { addedUp, watchedEnding } from '../../runner/run-watch.ts'
import { inAnotherShard } from '../../runner/shard-reason.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { assembleResults } from '../build-results.ts'
import type { JudgedCheck, ReportedCheck, RequirementResult, Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'
import { shardName, shardProblems } from './shard-problems.ts'

/** The files are not all shards of one run, each once. Lines for users. */
export class MergeError extends Error {
  override readonly name = 'MergeError'
}

/**
 * The results as a run of the whole suite has them; complete only if every shard is. Throws a MergeError where shards
 * overlap, are missing or belong to other runs.
 */
export function mergeShards(inputs: readonly ResultsOfFile[]): Results {
  const problems = shardProblems(inputs)
  if (problems.length > 0) throw new MergeError(problems.join('\n'))
  const shards = [...inputs].sort((one, other) => indexOf(one) - indexOf(other))
  const all = shards.map(({ results }) => results)
  const [first] = all as [Results, ...Results[]]
  const { shard: _, requests: __, stopped: ___, ...run } = first.run
  const stopped = shards.find(({ results }) => results.run.stopped !== undefined)?.results
  const ids = all.map((results) => results.run.id)
  return assembleResults({
    suite: first.suite,
    run: {
      ...run,
      id: `pc-${createHash('sha256').update(ids.join(' ')).digest('hex').slice(0, 8)}`,
      startedAt: all.map((results) => results.run.startedAt).sort(byTime)[0] as string,
      durationMs: Math.max(...all.map((results) => results.run.durationMs)),
      ...(stopped === undefined ? {} : { stopped: `${shardName(stopped)}: ${stopped.run.stopped}` }),
      mergedFrom: ids,
    },
    target: first.target,
    requirements: first.requirements.map((requirement) => ({
      ...requirement,
      ...looksOf(requirement.id, all),
    })),
    checks: judgedOnce(shards),
    observations: all.flatMap(({ observations }) => observations),
    roles: all.flatMap(({ roles }) => roles ?? []),
    errors: shards.flatMap(({ results }) =>
      (results.errors ?? []).map((error) => `${shardName(results)}: ${error}`),
    ),
    complete: all.every(({ complete }) => complete === true),
  })
}

const indexOf = ({ results }: ResultsOfFile): number => results.run.shard?.index ?? 0

const byTime = (one: string, other: string): number => Date.parse(one) - Date.parse(other)

/** The answers of all shards that showed a requirement. */
function looksOf(id: RequirementId, all: readonly Results[]): Pick<RequirementResult, 'looks'> {
  const several = all.flatMap(({ requirements }) =>
    requirements.flatMap((requirement) => (requirement.id === id ? (requirement.looks ?? []) : [])),
  )
  if (several.length === 0) return {}
  const sum = (of: 'exchanges' | 'kept'): number => several.reduce((total, looks) => total + looks[of], 0)
  const situations = addedUp(several.map((looks) => looks.situations ?? {}))
  return { looks: { exchanges: sum('exchanges'), kept: sum('kept'), situations } }
}

/** Every check as the one shard has it that judges it, in the order of the first. */
function judgedOnce(shards: readonly ResultsOfFile[]): JudgedCheck[] {
  const judged = new Map<string, JudgedCheck | undefined>()
  const twice: string[] = []
  for (const { results } of shards) {
    for (const requirement of results.requirements) {
      for (const check of requirement.checks) {
        const known = judged.get(check.id)
        if (isElsewhere(check)) judged.set(check.id, known)
        // The watch of each shard looks at every requirement: one sighting is enough.
        else if (known !== undefined && check.id.endsWith(watchedEnding)) continue
        else if (known !== undefined) twice.push(`${check.id}: judged by more than one shard`)
        else judged.set(check.id, { ...check, id: check.id as CheckId, requirement: requirement.id })
      }
    }
  }
  const nowhere = [...judged].filter(([, check]) => check === undefined)
  const problems = [...twice, ...nowhere.map(([id]) => `${id}: judged by no shard`)]
  if (problems.length > 0) {
    const explained = 'Were the shards made by suites that are not the same?'
    throw new MergeError([...problems.slice(0, mostProblems), explained].join('\n'))
  }
  return [...judged.values()].filter((check) => check !== undefined)
}

/** One cause spoils many checks. */
const mostProblems = 10

const isElsewhere = ({ outcome, reason }: ReportedCheck): boolean =>
  outcome === 'not-tested' && reason === inAnotherShard
