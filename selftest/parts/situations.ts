/** Faults in one situation only: what the suite misses depends more on when a request comes than on its content. */
import { type Fault, faults } from '../../reference/faults/index.ts'
import { subSeed } from '../../runner/seeds.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { isGatingCheck, type Judged, notKept } from '../judgement.ts'
import { type SituationId, situations } from '../sometimes.ts'
import type { Part } from '../trial.ts'
import { blamable, blameOf } from './faults.ts'

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
