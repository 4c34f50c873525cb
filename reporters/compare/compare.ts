/** Compares the results of several runs by the ids of requirements and checks. Pure. */
import type {
  Change,
  Compared,
  ComparedOpenPoint,
  ComparedRequirement,
  Comparison,
  Side,
} from '../../schemas/types/comparison.ts'
import { byKey, withoutUndefined } from '../../schemas/values.ts'
import { isGating, type Outcome } from '../../specs/outcomes.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'
import { coveredBy } from '../verdict.ts'
import { names } from '../wording.ts'
import { changes } from './words.ts'

/** Results to compare. */
export interface ComparedResults extends ResultsOfFile {
  /** Their name. Default: the target or the file. */
  readonly name?: string
  /** The report of the run, relative to the comparison. Absent: unknown. */
  readonly report?: string
  /** True if there were no results, and these only say so. */
  readonly judged?: false
}

/** Compares the first side with each of the others. At least one side is needed. */
export function compareResults(inputs: readonly ComparedResults[]): Comparison {
  const sides = sidesOf(inputs)
  const requirements = comparedRequirements(inputs.map(({ results }) => results))
  return {
    format: 'portal-conformance/comparison',
    formatVersion: 1,
    sides,
    notes: notesOf(inputs, sides),
    requirements,
    openPoints: comparedOpenPoints(inputs),
    counts: sides.slice(1).map((_, at) => countsOf(requirements, at)),
    // A run that could not be judged has a note and no outcomes.
    lost: requirements.flatMap((each) => lostIds(each, (at) => inputs[at + 1]?.judged !== false)),
  }
}

function comparedRequirements(sides: readonly Results[]): ComparedRequirement[] {
  const most = Math.max(...sides.map(({ run }) => run.runs))
  const whyAbsent = sides.map(({ run }) => (run.runs < most ? 'fewer cases' : ''))
  const requirements = sides.map((each) => each.requirements)
  return aligned(requirements, reasonOfRequirement).map(({ found, compared }) => {
    const { level, operation, section, text } = found.find((each) => each !== undefined) as RequirementResult
    const checks = aligned(
      found.map((each) => each?.checks ?? []),
      reasonOfCheck,
      whyAbsent,
    )
      .map((check) => check.compared)
      .filter((check) => tellsMore(check, compared))
    return { ...compared, level, operation, section, text, checks }
  })
}

/** Whether the outcome of the requirement hides the change of the check, because it is unchanged or was no pass before. */
function tellsMore(check: Compared, requirement: Compared): boolean {
  return check.changes.some((_, at) => {
    const whole = pairOf(requirement, at)
    if (whole.includes(null) || isLost(...whole)) return false
    const [before, after] = pairOf(check, at)
    return whole[0] === whole[1] ? before !== after : after !== null && isLost(before, after)
  })
}

function lostIds(requirement: ComparedRequirement, isJudged: (at: number) => boolean): string[] {
  const pairsOf = (compared: Compared) =>
    compared.changes.flatMap((_, at) => (isJudged(at) ? [pairOf(compared, at)] : []))
  if (pairsOf(requirement).some((pair) => isLost(...pair))) return [requirement.id]
  // Another release of the suite may prove the requirement without that check.
  return requirement.checks
    .filter((check) => pairsOf(check).some(([before, after]) => after !== null && isLost(before, after)))
    .map(({ id }) => id)
}

const pairOf = ({ outcomes }: Compared, at: number): [Outcome | null, Outcome | null] => [
  outcomes[0] ?? null,
  outcomes[at + 1] ?? null,
]

/** Items compared by id, in the order of the first side, followed by those that only other sides have. */
function aligned<Item extends Pick<ReportedCheck, 'outcome'> & { readonly id: string }>(
  sides: readonly (readonly Item[])[],
  reasonOf: (item: Item) => string | undefined,
  whyAbsent: readonly string[] = [],
): { found: readonly (Item | undefined)[]; compared: Compared }[] {
  const bySide = sides.map((items) => new Map(items.map((item) => [item.id, item])))
  const ids = new Set(sides.flatMap((items) => items.map(({ id }) => id)))
  return [...ids].map((id) => {
    const found = bySide.map((byId) => byId.get(id))
    const outcomes = found.map((each) => each?.outcome ?? null)
    const reasons = found.map((each, at) => (each === undefined ? whyAbsent[at] : reasonOf(each)) ?? '')
    const went = outcomes.slice(1).map((outcome) => changeOf(outcomes[0] ?? null, outcome))
    return { found, compared: { id, outcomes, reasons, changes: went } }
  })
}

const reasonOfCheck = ({ failure, reason }: ReportedCheck): string | undefined => failure?.message ?? reason

function reasonOfRequirement({ outcome, reason, checks }: RequirementResult): string | undefined {
  const telling = checks.find((check) => check.outcome === outcome && check.failure !== undefined)
  return telling?.failure?.message ?? reason
}

function countsOf(requirements: readonly ComparedRequirement[], at: number): Record<Change, number> {
  const counts = changes.map((change) => [
    change,
    requirements.filter((requirement) => requirement.changes[at] === change).length,
  ])
  return Object.fromEntries(counts) as Record<Change, number>
}

const notKept = (outcome: Outcome | null): boolean => outcome === 'failed' || outcome === 'warned'

/** The class of a change. Null: this side does not know the id. */
function changeOf(before: Outcome | null, after: Outcome | null): Change {
  if (before === null) return after === null ? 'same' : 'new'
  if (after === null) return 'gone'
  if (before === after) return before === 'failed' ? 'still-failing' : 'same'
  if (before === 'passed') return notKept(after) ? 'broken' : after === 'waived' ? 'changed' : 'lost'
  return after === 'passed' && (notKept(before) || before === 'waived') ? 'fixed' : 'changed'
}

/**
 * Whether something that passed no longer does: broken, no longer judged, or gone. A waived failure does not count:
 * its owner has accepted it, and it fails no other gate either.
 */
function isLost(before: Outcome | null, after: Outcome | null): boolean {
  return before === 'passed' && after !== 'passed' && after !== 'waived'
}

/** All points that one side observed. Observations are sets, so their order does not matter. */
function comparedOpenPoints(inputs: readonly ComparedResults[]): ComparedOpenPoint[] {
  const all = inputs.flatMap(({ results }, at) => results.observations.map((each) => ({ ...each, at })))
  const points = byKey(all, ({ id, operation }) => JSON.stringify([id, operation]))
  return [...points.values()].map((several) => {
    const { id, operation, question } = several[0] as (typeof several)[number]
    const bySide = byKey(several, ({ at }) => at)
    const observed = inputs.map((_, at) => {
      // The counts depend on the run.
      const values = bySide.get(at)?.map((each) => each.observed.replace(/(?<=\bvaries) \(.*\)$/, ''))
      return [...new Set(values)].sort()
    })
    // Without a judgement there is nothing to compare.
    const judged = observed.filter((_, at) => inputs[at]?.judged !== false)
    return { id, operation, question, observed, difference: differenceOf(judged) }
  })
}

function differenceOf(observed: readonly (readonly string[])[]): ComparedOpenPoint['difference'] {
  const looked = observed.filter((values) => values.length > 0)
  if (new Set(looked.map((values) => JSON.stringify(values))).size > 1) return 'different'
  return looked.length === observed.length ? 'same' : 'partly'
}

/** Evidence makes up most of a file and is not compared, so it is dropped to save memory. */
export function withoutEvidence(results: Results): Results {
  const requirements = results.requirements.map(({ checks, ...requirement }) => ({
    ...requirement,
    checks: checks.map(({ evidence: _, ...check }) => check),
  }))
  return { ...results, requirements }
}

/** Ids of requirements that determine the verdict, or of checks of a requirement that already failed in another way. */
interface FreshFailures {
  /** Did not fail on the first side, and fails in every later run of some target. */
  readonly fresh: readonly string[]
  /** Fails in some of the later runs of a target and not in others. */
  readonly intermittent: readonly string[]
}

/** Fails on a later side and did not fail on the first. */
export function newFailures({ requirements, sides }: Comparison): FreshFailures {
  const later = sides
    .map((side, at) => ({ side, at }))
    .filter(({ side, at }) => at > 0 && side.judged !== false)
  const runsOf = [...byKey(later, ({ side }) => side.target.baseUrl).values()]
  const kindOf = ({ outcomes }: Compared): keyof FreshFailures | undefined => {
    if (outcomes[0] === 'failed') return undefined
    const counts = runsOf.map((runs) => {
      const known = runs.filter(({ at }) => outcomes[at] === 'failed' || outcomes[at] === 'passed')
      return { runs: known.length, failed: known.filter(({ at }) => outcomes[at] === 'failed').length }
    })
    if (counts.some(({ runs, failed }) => failed > 0 && failed === runs)) return 'fresh'
    return counts.some(({ failed }) => failed > 0) ? 'intermittent' : undefined
  }
  const idsOf = (kind: keyof FreshFailures): string[] =>
    requirements
      .filter(({ level }) => isGating(level))
      .flatMap((requirement) => {
        const own = kindOf(requirement)
        if (own !== undefined) return own === kind ? [requirement.id] : []
        return requirement.checks.filter((check) => kindOf(check) === kind).map(({ id }) => id)
      })
  return { fresh: idsOf('fresh'), intermittent: idsOf('intermittent') }
}

function sidesOf(inputs: readonly ComparedResults[]): Side[] {
  return inputs.map((input, at) => {
    const { file, results, report, judged } = input
    const { id, startedAt, seed, runs } = results.run
    return withoutUndefined({
      key: keyOf(at),
      label: labelOf(input, inputs),
      file,
      target: results.target,
      suiteVersion: results.suite.version,
      run: { id, startedAt, seed, runs },
      verdict: results.verdict,
      coverage: judged === false ? undefined : coveredBy(results),
      totals: results.totals,
      complete: results.complete === true,
      report,
      judged,
    })
  })
}

/** A to Z, then A1 to Z1 and so on. */
const keyOf = (at: number): string =>
  String.fromCharCode(65 + (at % 26)) + (at < 26 ? '' : Math.floor(at / 26))

/** The name, the base URL, or the file if several have that base URL. */
function labelOf({ file, name, results }: ComparedResults, inputs: readonly ComparedResults[]): string {
  const { baseUrl } = results.target
  const isOnly = inputs.filter((other) => other.results.target.baseUrl === baseUrl).length === 1
  return name ?? (isOnly ? baseUrl : file)
}

/** Sentences about other reasons for differences than the targets. */
function notesOf(inputs: readonly ComparedResults[], sides: readonly Side[]): string[] {
  const judged = sides.flatMap((side, at) =>
    side.judged === false ? [] : [{ ...(inputs[at] as ComparedResults), name: side.label }],
  )
  const namesOf = (several: typeof judged): string => names(several.map(({ name }) => name))
  const differing = (what: string, readOf: (results: Results) => string, meaning: string): string[] => {
    const groups = [...byKey(judged, ({ results }) => readOf(results))]
    const each = groups.map(([value, several]) => `${namesOf(several)}: ${value}`).join('; ')
    return groups.length > 1 ? [`${what} differ (${each}): ${meaning}.`] : []
  }
  const having = (what: string, has: (results: Results) => boolean): string[] => {
    const such = judged.filter(({ results }) => has(results))
    return such.length === 0 ? [] : [`${namesOf(such)}: ${what}.`]
  }
  const unjudged = inputs.flatMap(({ judged: isJudged, results: { errors = [] } }, at) =>
    isJudged === false ? errors.map((why) => `${sides[at]?.label} was not judged: ${why}.`) : [],
  )
  return [
    ...unjudged,
    ...differing(
      'Suite releases',
      ({ suite }) => suite.version,
      'compared by id; ids that only one release has are new or gone',
    ),
    ...differing('Seeds', ({ run }) => String(run.seed), 'the generated requests differ'),
    ...differing('Numbers of cases', ({ run }) => String(run.runs), 'more cases find what fewer cases miss'),
    ...differing('Selections', selectionOf, 'the rest was not tested'),
    ...differing('Releases', ({ target }) => target.version ?? 'unknown', 'operations may be not applicable'),
    ...differing('Editions', ({ target }) => target.edition ?? 'unknown', 'operations may be not applicable'),
    ...differing('Profiles', ({ target }) => target.profile, 'open points were settled in other ways'),
    ...having('the run was cut short, its results are not complete', ({ complete }) => complete !== true),
    ...having('recorded traffic was judged, nothing was sent', ({ run }) => run.traffic !== undefined),
    ...having('the run itself had errors', ({ errors = [] }) => errors.length > 0),
  ]
}

function selectionOf({ run: { selection } }: Results): string {
  const parts = selection === undefined ? [] : [...selection.operations, ...selection.requirements]
  return parts.length === 0 ? 'everything' : parts.join(' ')
}
