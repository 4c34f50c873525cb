/**
 * How likely a fault that shows in one of 2, 5, 10 or 20 requests is found, by kind of fault and by number of cases:
 * `npm run measure-odds`. Each fault is judged by the checks of the requirements that it breaks.
 */
import { type Fault, productFaults } from '../reference/faults/index.ts'
import { Lanes } from '../runner/lanes.ts'
import { judgePortal } from '../selftest/judge-portal.ts'
import { notKept } from '../selftest/trial.ts'

/** A fault shows in one of N requests. */
const oneIn = [2, 5, 10, 20]
/** Generated cases of a run; 0: a quick run. */
const budgets = [0, 25, 100]
/** Faults of each kind, spread over its list, and runs of each fault with different seeds. */
const faultsOfKind = 5
const runsOfFault = 3
/** Concurrent runs. They mostly wait. */
const atOnce = 8

/** Whether a run finds the fault: a requirement that it breaks failed, or is advice and warned. */
async function isFound({ id, breaks }: Fault, rate: number, runs: number, seed: number): Promise<boolean> {
  const judged = await judgePortal({
    sometimes: { fault: id, when: rate },
    seed,
    runs,
    requirements: breaks,
  })
  return notKept(judged).some((requirement) => breaks.includes(requirement))
}

/** Faults spread over the list. */
const spread = (faults: readonly Fault[]): readonly Fault[] =>
  Array.from(
    { length: Math.min(faultsOfKind, faults.length) },
    (_, at) => faults[Math.floor((at * faults.length) / faultsOfKind)] as Fault,
  )

const lanes = new Lanes(atOnce)

async function oddsOf(faults: readonly Fault[], rate: number, runs: number): Promise<string> {
  const trials = spread(faults).flatMap((fault) =>
    Array.from({ length: runsOfFault }, (_, at) =>
      lanes.run(() => isFound(fault, rate, runs, 1 + at + 10 * rate)),
    ),
  )
  const found = (await Promise.all(trials)).filter(Boolean).length
  return `${found} of ${trials.length}`
}

process.stdout.write(`| kind | cases | ${oneIn.map((rate) => `1 of ${rate}`).join(' | ')} |\n`)
process.stdout.write(`| --- | --- |${' --- |'.repeat(oneIn.length)}\n`)
for (const kind of new Set(productFaults.map((fault) => fault.kind)))
  for (const runs of budgets) {
    const faults = productFaults.filter((fault) => fault.kind === kind)
    const odds = await Promise.all(oneIn.map((rate) => oddsOf(faults, rate, runs)))
    const cases = runs === 0 ? '`--quick`' : String(runs)
    process.stdout.write(`| ${runs === 0 ? kind : ''} | ${cases} | ${odds.join(' | ')} |\n`)
  }
