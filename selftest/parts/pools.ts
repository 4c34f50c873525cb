/** Portals that keep the contract, with scarce fixtures: nothing may fail. */
import { type Alteration, type Judged, linesOf, openOf } from '../judgement.ts'
import { randomFrom, shuffled } from '../random.ts'
import { cleanCell, countOf, fewRuns, isClean, type Part, rowOf, sectionOf, timeCell } from './part.ts'
import { quick } from './variants.ts'

interface ScarceProvider extends Pick<Alteration, 'scarcity' | 'usedUp'> {
  readonly provider: string
}

const poolSizes = [1, 2, 3, 5]
const failingOneIn = 10
const variantsOfPools = 10

const scarceProviders: readonly ScarceProvider[] = [
  ...poolSizes.flatMap((pool) =>
    [false, true].map((usedUp) => ({
      provider: `${pool} of each kind, ${usedUp ? 'used up by an earlier run' : 'fresh'}`,
      scarcity: { pool },
      usedUp,
    })),
  ),
  { provider: `fails one time in ${failingOneIn}`, scarcity: { failing: failingOneIn } },
]

export const poolPart: Part<PoolRow> = {
  name: 'pools',
  trials({ seed }, judge) {
    const varied = shuffled(quick, randomFrom(seed)).slice(0, variantsOfPools)
    const portals = [
      { portal: 'the embedded portal' },
      ...varied.map(({ id }) => ({ portal: id, variants: [id] })),
    ]
    return portals.flatMap(({ portal, ...altered }) =>
      scarceProviders.map(({ provider, ...scarce }) => ({
        name: `pool ${portal}: ${provider}`,
        run: async () =>
          poolRow(portal, provider, await judge({ ...altered, ...scarce, seed, runs: fewRuns })),
      })),
    )
  },
  summary: (rows) => [`Portals with scarce fixtures: ${countOf(rows, isClean)} blamed for nothing`],
  sections: (rows) => [
    sectionOf(
      'Portals with scarce fixtures',
      'Portals that keep the contract, with providers that hand out little or fail now and then: nothing may fail, and what is left open says why.',
      rows,
      {
        Portal: ({ portal }) => portal,
        Fixtures: ({ provider }) => provider,
        'Checks passed': ({ passed }) => String(passed),
        'Left open': ({ open }) => String(open),
        'Blamed for nothing': cleanCell,
        Time: timeCell,
      },
    ),
  ],
}

type PoolRow = ReturnType<typeof poolRow>

/** The row of a portal with scarce fixtures. */
export function poolRow(portal: string, provider: string, judged: Judged) {
  const open = openOf(judged)
  const wrong = open.filter(({ outcome, why }) => outcome === 'failed' || outcome === 'warned' || why === '')
  return rowOf(judged, { portal, provider, passed: judged.passed, open: open.length }, linesOf(wrong))
}
