/** Faults of the catalogue: each must be found by the requirements that it breaks, and blamed on no others. */
import type { Broken } from '../../reference/faults/fault.ts'
import { type Fault, faults, productFaults } from '../../reference/faults/index.ts'
import { codeOf, looking, type Section } from '../../reporters/nodes.ts'
import { isGating } from '../../specs/outcomes.ts'
import { type RequirementId, requirementOf, requirements, type Subject } from '../../specs/requirements.ts'
import type { Judged } from '../judgement.ts'
import {
  cleanCell,
  codesOf,
  countOf,
  isClean,
  type Part,
  rowOf,
  secondsOf,
  sectionOf,
  type Trial,
  timeCell,
} from './part.ts'

/** Most faults show with a third of the cases. The others are judged alone, with all of them. */
const casesInCompany = (runs: number): number => Math.ceil(runs / 3)

export const faultPart: Part<FaultRow> = {
  name: 'faults',
  trials({ seed, runs, together, products }, judge) {
    const tried = faults.filter((fault) => {
      const at = productFaults.indexOf(fault)
      return at < 0 || at % products === 0
    })
    const judged = (those: readonly Fault[], cases: number) =>
      judge({ faults: those.map(({ id }) => id), seed, runs: cases })
    const trial = (fault: Fault): Trial<FaultRow> => ({
      name: `fault ${fault.id}`,
      run: async () => faultRow(fault, await judged([fault], runs)),
    })
    if (!together) return tried.map(trial)
    const inGroups = new Map<Fault, Trial<FaultRow>>()
    for (const group of apart(tried)) {
      let rows: Promise<readonly FaultRow[] | undefined> | undefined
      const ofGroup = () =>
        (rows ??= judged(group, casesInCompany(runs)).then((each) => rowsTogether(group, each)))
      // The first fault of a group starts the run of the group, so the first ones come before all others.
      for (const [turn, fault] of group.entries())
        inGroups.set(fault, { ...trial(fault), turn, company: async () => (await ofGroup())?.[turn] })
    }
    return tried.map((fault) => inGroups.get(fault) as Trial<FaultRow>)
  },
  restsOnTime: () => true,
  isOk: (rows, whole) =>
    rows.every(isClean) && (!whole || proofsOf(rows).every((proof) => proof.faults.length > 0)),
  listing(rows) {
    const width = Math.max(0, ...rows.map(({ id }) => id.length))
    const lines = rows.map(({ id, found, blamed, requests, durationMs }) =>
      [
        id.padEnd(width),
        (found ? 'yes' : 'NO').padEnd(5),
        (blamed ? 'yes' : 'NO').padEnd(6),
        String(requests ?? '-').padStart(8),
        durationMs === undefined ? '-' : secondsOf(durationMs).padStart(6),
      ].join('  '),
    )
    return [`${'Fault'.padEnd(width)}  found  blamed  requests    time`, ...lines]
  },
  summary(rows, whole) {
    const line = `Faults: ${countOf(rows, ({ found }) => found)} found, ${rows.filter(isClean).length} found and blamed exactly`
    if (!whole) return [line]
    const proofs = proofsOf(rows)
    const without = proofs.filter((proof) => proof.faults.length === 0).map(({ id }) => id)
    const shown = `${proofs.length - without.length} of ${proofs.length}`
    const left = without.length === 0 ? '' : `; none yet for ${without.join(', ')}`
    return [line, `Must and implied requirements that a fault shows can fail: ${shown}${left}`]
  },
  sections: (rows, whole) => [faultSection(rows), ...(whole ? [proofSection(proofsOf(rows))] : [])],
}

const faultSection = (rows: readonly FaultRow[]): Section =>
  sectionOf(
    'Faults',
    'Each breaks one thing in the embedded portal. Found: every requirement that it breaks failed. Blamed: no other did. Requests: of the cheapest check that found it, with its repetition and the search for a smaller counterexample.',
    rows,
    {
      Fault: ({ id }) => codeOf(id),
      'What the portal does': ({ sentence }) => sentence,
      Breaks: ({ breaks }) => codesOf(breaks),
      Found: ({ found }) => (found ? 'yes' : looking('strong', 'no')),
      Blamed: (row) => (row.blamed ? 'yes' : cleanCell(row)),
      Requests: ({ requests = '' }) => String(requests),
      Time: timeCell,
    },
  )

const proofSection = (proofs: readonly Proof[]): Section =>
  sectionOf('What shows that a requirement can fail', '', proofs, {
    Requirement: ({ id }) => codeOf(id),
    Level: ({ level }) => level,
    Faults: (proof) => (proof.faults.length === 0 ? looking('strong', 'none') : codesOf(proof.faults)),
  })

type FaultRow = ReturnType<typeof faultRow>

/** The row of a portal with that fault. */
export function faultRow(fault: Fault, judged: Judged) {
  const { id, sentence, breaks } = fault
  const failed = notKept(judged)
  const { missed, wrong } = blameOf(fault, failed)
  const requests = judged.open
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
    .filter(({ requirement }) => breaks.some((each) => each === requirement))
    .map((check) => check.requests)
  const facts = {
    id,
    sentence,
    breaks,
    failed,
    /** Whether every requirement that it breaks failed. */
    found: breaks.length > 0 && missed.length === 0,
    /** Whether nothing else failed. */
    blamed: judged.broke === undefined && wrong.length === 0,
    /** The requests of the cheapest check that found it, including repetition and shrinking. */
    requests: requests.length === 0 ? undefined : Math.min(...requests),
  }
  return rowOf(judged, facts, [
    ...(failed.length === 0 ? ['it changed no outcome at all'] : missed.map((each) => `missed: ${each}`)),
    ...wronglyBlamed(wrong),
  ])
}

export const wronglyBlamed = (wrong: readonly RequirementId[]): string[] =>
  wrong.map((each) => `wrongly blamed: ${each}`)

/**
 * The rows of a portal with all of these faults. Undefined if one did not show or something else failed, because one
 * fault may hide another.
 */
function rowsTogether(group: readonly Fault[], judged: Judged): readonly FaultRow[] | undefined {
  const all = {
    breaks: group.flatMap(({ breaks }) => breaks),
    mayBreak: group.flatMap(({ mayBreak = [] }) => mayBreak),
  }
  const { missed, wrong } = blameOf(all, notKept(judged))
  if (judged.broke !== undefined || missed.length + wrong.length > 0) return undefined
  return group.map((fault) => {
    const its = (id: string): boolean => blamable(fault).some((each) => each === id)
    return faultRow(fault, {
      ...judged,
      failed: judged.failed.filter(its),
      open: judged.open.filter(({ requirement }) => its(requirement)),
    })
  })
}

/** A random sequence of steps meets a fault by chance, so this requirement may fail for any fault or none. */
export const byLuck: readonly RequirementId[] = ['lifecycle/consistent']

/** Requirements that a fault breaks or may break. */
export const blamable = ({ breaks, mayBreak = [] }: Broken): RequirementId[] => [
  ...breaks,
  ...mayBreak,
  ...byLuck,
]

/** Failed requirements, and advice that was not kept. */
export function notKept({ failed, open }: Judged): RequirementId[] {
  const warned = open.filter(({ outcome }) => outcome === 'warned')
  return [...failed, ...warned.map(({ requirement }) => requirement)] as RequirementId[]
}

/** `missed`: requirements that should have failed. `wrong`: failed requirements that the fault does not break. */
export function blameOf(fault: Broken, failed: readonly RequirementId[]) {
  const expected = blamable(fault)
  return {
    missed: fault.breaks.filter((id) => !failed.includes(id)),
    wrong: failed.filter((id) => !expected.includes(id)),
  }
}

type Proof = ReturnType<typeof proofsOf>[number]

/** For each must and implied requirement the faults that made it fail. None: nothing shows that it can fail. */
export function proofsOf(rows: readonly Pick<FaultRow, 'id' | 'breaks' | 'failed'>[]) {
  return requirements
    .filter(({ level }) => isGating(level))
    .map(({ id, level }) => ({
      id,
      level,
      faults: rows
        // Random steps may find any fault, which proves that this requirement can fail although no fault claims it.
        .filter(({ breaks, failed }) => failed.includes(id) && (breaks.includes(id) || byLuck.includes(id)))
        .map((row) => row.id),
    }))
}

/** What these requirements speak of. */
export const subjectsOf = (ids: readonly RequirementId[] = []): Subject[] =>
  ids.map((id) => requirementOf(id).operation)

/** Whether one fault may change the judgement of the other. */
function meet(one: Broken, other: Broken): boolean {
  const reaches = ({ breaks, mayBreak }: Broken, to: Broken) => {
    const its = subjectsOf(to.breaks)
    return [...subjectsOf(breaks), ...subjectsOf(mayBreak)].some((each) => its.includes(each))
  }
  const breaksAll = ({ breaks }: Broken) => subjectsOf(breaks).includes('protocol')
  return breaksAll(one) || breaksAll(other) || reaches(one, other) || reaches(other, one)
}

/** Groups of faults for one portal each. They break different operations, so that none hides another. */
export function apart<F extends Broken>(faults: readonly F[]): F[][] {
  const groups: F[][] = []
  for (const fault of faults) {
    const free = groups.find((group) => !group.some((other) => meet(fault, other)))
    if (free === undefined) groups.push([fault])
    else free.push(fault)
  }
  return groups
}
