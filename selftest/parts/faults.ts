/** Faults of the catalogue, in every request or in one situation only: the requirements that a fault breaks must find it, and no others. */
import type { Broken } from '../../reference/faults/fault.ts'
import { type Fault, faults, productFaults, readBackFaults } from '../../reference/faults/index.ts'
import { subSeed } from '../../runner/seeds.ts'
import { type RequirementId, requirementOf, type Subject } from '../../specs/requirements.ts'
import { type SituationId, situations } from '../sometimes.ts'
import {
  type Alteration,
  everyLogin,
  fewRuns,
  isGatingCheck,
  type Judged,
  notKept,
  type Part,
  type Trial,
} from '../trial.ts'

/** Most faults show with a third of the cases. The others are judged alone, with all of them. */
const casesInCompany = (runs: number): number => Math.ceil(runs / 3)

export const faultPart: Part = {
  name: 'faults',
  title: 'Faults',
  clean: 'found and blamed exactly',
  lead: 'Each breaks one thing in the embedded portal: every requirement that it breaks must fail, and no other.',
  trials({ seed, runs, together, products }) {
    const tried = faults.filter((fault) => {
      const at = productFaults.indexOf(fault)
      return at < 0 || at % products === 0
    })
    const trialsOf = (those: readonly Fault[], alone: Alteration, inCompany: Alteration) =>
      apart(those).flatMap((group) => {
        const alteration = { ...inCompany, faults: group.map(({ id }) => id) }
        const shared = { alteration, shows: (judged: Judged) => showsAll(group, judged) }
        return group.map((fault): Trial => {
          const trial = trialOf(fault, { ...alone, faults: [fault.id] })
          return together ? { ...trial, shared } : trial
        })
      })
    // With logins, a run reads the pages that show what no answer does.
    const reading = { seed, runs: fewRuns, logins: everyLogin }
    return [
      ...trialsOf(tried, { seed, runs }, { seed, runs: casesInCompany(runs) }),
      ...trialsOf(readBackFaults, reading, reading),
    ]
  },
}

function trialOf(fault: Fault, alteration: Alteration): Trial {
  const { id, sentence, breaks } = fault
  return {
    name: `fault ${id}`,
    sentence,
    breaks,
    alteration,
    problemsIn: (judged) => wrongWith(fault, judged),
  }
}

/** What a run on a portal with the fault missed, and what it blamed without reason. */
export function wrongWith(fault: Broken, judged: Judged): string[] {
  const { missed, wrong } = blameOf(fault, notKept(judged))
  return [...missed.map((id) => `missed: ${id}`), ...wrong.map((id) => `wrongly blamed: ${id}`)]
}

/** Whether a run on a portal with all of these faults found each and nothing else: one fault may hide another. */
function showsAll(group: readonly Fault[], judged: Judged): boolean {
  const breaks = group.flatMap((fault) => fault.breaks)
  const mayBreak = group.flatMap((fault) => fault.mayBreak ?? [])
  return judged.broke === undefined && wrongWith({ breaks, mayBreak }, judged).length === 0
}

/** A random sequence of steps meets a fault by chance, so this requirement may fail for any fault or none. */
export const byLuck: readonly RequirementId[] = ['lifecycle/consistent']

/** Requirements that a fault breaks or may break. */
const blamable = ({ breaks, mayBreak = [] }: Broken): RequirementId[] => [...breaks, ...mayBreak, ...byLuck]

/** `missed`: requirements that should have failed. `wrong`: failed requirements that the fault does not break. */
function blameOf(fault: Broken, failed: readonly RequirementId[]) {
  const expected = blamable(fault)
  return {
    missed: fault.breaks.filter((id) => !failed.includes(id)),
    wrong: failed.filter((id) => !expected.includes(id)),
  }
}

const subjectsOf = (ids: readonly RequirementId[] = []): Subject[] =>
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

// Faults in one situation only: what the suite misses depends more on when a request comes than on its content.

/** As on the embedded portal by default. */
const manyRuns = 100

export const situationPart: Part = {
  name: 'situations',
  title: 'Faults in one situation only',
  clean: 'found',
  lead: 'Faults of the catalogue, drawn by the seed, each in one situation only. Found: a requirement that the fault breaks or may break failed, and no other. Left open: none failed, and one is inconclusive, so the run is incomplete.',
  measures: true,
  trials: ({ seed, situations: count }) =>
    situatedFaults(seed, count).map(({ fault, situation }, at) => ({
      name: `situation ${fault.id} ${situation}`,
      sentence: `${fault.sentence} ${situations[situation].sentence}`,
      breaks: fault.breaks,
      once: true,
      alteration: { sometimes: { fault: fault.id, when: situation }, seed: seed + at, runs: manyRuns },
      problemsIn: (judged) => missedIn(fault, judged),
    })),
}

/**
 * That many combinations of a fault and a situation, drawn from the seed. A fault that depends on more than the request
 * has a situation of its own, and one that the run must be configured for shows in all requests or in none.
 */
export function situatedFaults(seed: number, count: number) {
  const all = faults
    .filter(({ dependsOn, configure }) => dependsOn === undefined && configure === undefined)
    .flatMap((fault) => (Object.keys(situations) as SituationId[]).map((situation) => ({ fault, situation })))
    .filter(({ fault, situation }) => situation !== 'second-use' || isUsedTwice(fault))
  const place = ({ fault, situation }: (typeof all)[number]) => subSeed(seed, `${fault.id} ${situation}`)
  return all.toSorted((one, other) => place(one) - place(other)).slice(0, count)
}

/** Whether the fault can show on a path that was accepted before, which no wrong path and no deleted thing is. */
const isUsedTwice = ({ breaks, misplaced }: Fault): boolean =>
  misplaced !== true &&
  breaks.some((id) => {
    const { operation, mustExist, belongs } = requirementOf(id)
    return operation !== 'delete-collaboration' && mustExist === undefined && belongs === undefined
  })

function missedIn(fault: Fault, judged: Judged): string[] {
  const failed = notKept(judged)
  const wrong = blameOf(fault, failed).wrong.map((id) => `wrongly blamed: ${id}`)
  if (blamable(fault).some((id) => failed.includes(id))) return wrong
  const isOpen = judged.open.some((check) => check.outcome === 'inconclusive' && isGatingCheck(check))
  return [isOpen ? 'left open' : 'missed', ...wrong]
}
