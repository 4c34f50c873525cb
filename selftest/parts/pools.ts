/** Portals that keep the contract, with scarce fixtures: nothing may fail, and what is left open says why. */
import { type Alteration, type Judged, linesOf, openOf } from '../judgement.ts'
import { fewRuns, type Part } from '../trial.ts'
import { quick, shuffled } from './variants.ts'

interface ScarceFixtures extends Pick<Alteration, 'scarcity' | 'usedUp'> {
  readonly fixtures: string
}

const variantsOfPools = 10

const scarceFixtures: readonly ScarceFixtures[] = [
  ...[1, 2, 3, 5].flatMap((pool) => [
    { fixtures: `${pool} of each kind`, scarcity: { pool } },
    { fixtures: `${pool} of each kind, used up by an earlier run`, scarcity: { pool }, usedUp: true },
  ]),
  { fixtures: 'a provider that fails one time in ten', scarcity: { failing: 10 } },
]

export const poolPart: Part = {
  name: 'pools',
  title: 'Portals with scarce fixtures',
  clean: 'without a finding',
  lead: 'Portals that keep the contract, with providers that hand out little or fail now and then: nothing may fail, and what is left open says why.',
  trials({ seed }) {
    const varied = shuffled(quick, seed).slice(0, variantsOfPools)
    return [[], ...varied.map(({ id }) => [id])].flatMap((variants) =>
      scarceFixtures.map(({ fixtures, ...scarce }) => ({
        name: `pool ${variants[0] ?? 'the embedded portal'}: ${fixtures}`,
        sentence: `There are few fixtures: ${fixtures}.`,
        alteration: { variants, ...scarce, seed, runs: fewRuns },
        problemsIn: wrongWithScarceFixtures,
      })),
    )
  },
}

/** Findings, and checks that are open without a reason. */
export const wrongWithScarceFixtures = (judged: Judged): string[] =>
  linesOf(openOf(judged).filter(({ outcome, why }) => outcome === 'failed' || why === ''))
