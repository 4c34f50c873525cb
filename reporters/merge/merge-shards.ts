/** From the results of all shards of a run to those of the whole run. Pure. */
import { createHash } from 'node:crypto'
import { addedUp } from '../../runner/log/looks.ts'
import { inAnotherShard } from '../../runner/run-input.ts'
import { isOfWatch } from '../../runner/run-watch.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { byKey } from '../alike.ts'
import { assembleResults, judgedChecks } from '../build-results.ts'
import type { JudgedCheck, ReportedCheck, RequirementResult, Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'

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
  const { shard: _, requests: __, stopped: ___, putOff: ____, ...run } = first.run
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
      ...putOffTogether(all),
    },
    target: first.target,
    requirements: first.requirements.map((requirement) => ({
      ...requirement,
      ...looksTogether(requirement.id, all),
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

/** Every check as the one shard has it that judges it, in the order of the first. */
function judgedOnce(shards: readonly ResultsOfFile[]): JudgedCheck[] {
  const judged = new Map<string, JudgedCheck | undefined>()
  const twice: string[] = []
  for (const check of shards.flatMap(({ results }) => judgedChecks(results))) {
    const known = judged.get(check.id)
    if (isElsewhere(check)) judged.set(check.id, known)
    // The watch of each shard looks at every requirement: one sighting is enough.
    else if (known !== undefined && isOfWatch(check)) continue
    else if (known !== undefined) twice.push(`${check.id}: judged by more than one shard`)
    else judged.set(check.id, check)
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

/** One line each; none: they can be merged. At least one file is expected. */
function shardProblems(inputs: readonly ResultsOfFile[]): string[] {
  const whole = inputs.filter(({ results }) => results.run.shard === undefined)
  if (whole.length > 0) {
    return whole.map(({ file }) => `${file}: is of a whole run, not of a shard (run --shard I/N)`)
  }
  const others = sameness.flatMap((same) => strangeness(same, inputs))
  return others.length > 0 ? others : [...overlaps(inputs), ...gaps(inputs)]
}

/** `shard 2/3`. */
export function shardName({ run: { shard } }: Results): string {
  return `shard ${shard?.index}/${shard?.count}`
}

interface Sameness {
  readonly what: string
  readonly of: (results: Results) => unknown
  readonly advice: string
}

/** In what a run is not the same as another, in words that say what to do. */
const sameness: readonly Sameness[] = [
  { what: 'suite release', of: ({ suite }) => suite.version, advice: 'use one release for all shards' },
  {
    what: 'number of shards',
    of: ({ run }) => run.shard?.count,
    advice: 'shards of one run share the N of --shard I/N',
  },
  { what: 'seed', of: ({ run }) => run.seed, advice: 'give all shards the same --seed' },
  { what: 'number of cases', of: ({ run }) => run.runs, advice: 'give all shards the same --runs' },
  { what: 'target', of: targetOf, advice: 'all shards judge one target' },
  {
    what: 'selection',
    of: ({ run }) => run.selection ?? 'everything',
    advice: 'give all shards the same --operation and --requirement',
  },
  {
    what: 'set of allowed effects',
    of: ({ run }) => run.options?.effects ?? 'that of the configuration',
    advice: 'give all shards the same --effects',
  },
]

/** A line for each file that is not as most of them are. */
function strangeness({ what, of, advice }: Sameness, inputs: readonly ResultsOfFile[]): string[] {
  const groups = [...byKey(inputs, ({ results }) => JSON.stringify(of(results))).values()]
  const most = groups.reduce((one, other) => (other.length > one.length ? other : one))
  const [usual] = most as [ResultsOfFile]
  return inputs
    .filter((input) => !most.includes(input))
    .map(({ file, results }) => {
      const [found, expected] = [shown(of(results)), shown(of(usual.results))]
      return `${file}: the ${what} is ${found}, that of ${usual.file} is ${expected}; ${advice}`
    })
}

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** An embedded portal has another port on every machine: what it was altered by says whether it is the same. */
function targetOf({ target, run: { options } }: Results): unknown {
  if (options?.reference !== true) return target
  const { fault, variant } = options
  return { ...target, baseUrl: 'the embedded portal', fault, variant }
}

function overlaps(inputs: readonly ResultsOfFile[]): string[] {
  return [...byKey(inputs, ({ results }) => shardName(results))]
    .filter(([, several]) => several.length > 1)
    .map(
      ([name, several]) =>
        `${name} is there ${several.length} times: ${several.map(({ file }) => file).join(', ')}`,
    )
}

/** A file may claim any number of shards: not all that are missing need be named. */
const mostNamed = 20

function gaps(inputs: readonly ResultsOfFile[]): string[] {
  const { run } = (inputs[0] as ResultsOfFile).results
  const count = run.shard?.count ?? 0
  const present = new Set(inputs.map(({ results }) => results.run.shard?.index ?? 0))
  const beyond = [...present]
    .filter((index) => index > count)
    .map((index) => `shard ${index}/${count}: there is no such shard`)
  const missing = count - [...present].filter((index) => index <= count).length
  if (missing <= 0) return beyond
  const named: string[] = []
  for (let index = 1; named.length < Math.min(missing, mostNamed); index += 1) {
    if (!present.has(index)) named.push(`${index}/${count}`)
  }
  const left = missing - named.length
  const list = `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  return [
    ...beyond,
    `missing: shard ${list}. Was it run, and its results collected? It has --shard ${named[0]} --seed ${run.seed} --runs ${run.runs}`,
  ]
}

/** The answers that showed a requirement in any of them. */
export function looksTogether(id: RequirementId, all: readonly Results[]): Pick<RequirementResult, 'looks'> {
  const several = all.flatMap(({ requirements }) =>
    requirements.flatMap((requirement) => (requirement.id === id ? (requirement.looks ?? []) : [])),
  )
  if (several.length === 0) return {}
  const sum = (of: 'exchanges' | 'kept'): number => several.reduce((total, looks) => total + looks[of], 0)
  const situations = addedUp(several.map((looks) => looks.situations ?? {}))
  return { looks: { exchanges: sum('exchanges'), kept: sum('kept'), situations } }
}

/** What all of them put off; the pace is the slowest one. */
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
