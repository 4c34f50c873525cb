/** Portals that keep the contract: with scarce fixtures nothing may fail, and with every seed a run is conformant. */
import { type Alteration, isGatingCheck, type Judged, linesOf, openOf } from '../judgement.ts'
import { hasPython } from '../python-portal.ts'
import { randomFrom, shuffled } from '../random.ts'
import { cleanCell, countOf, fewRuns, isClean, type Part, rowOf, sectionOf, timeCell } from './part.ts'
import { quick } from './variants.ts'

interface ConformantPortal extends Pick<Alteration, 'python' | 'variants'> {
  readonly portal: string
}

/** Only the embedded portal if there is no Python, or if the examples are missing. */
function conformantPortals(): readonly ConformantPortal[] {
  const embedded = { portal: 'the embedded portal' }
  return hasPython() ? [embedded, { portal: 'the portal in Python', python: true }] : [embedded]
}

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
    const portals = [...conformantPortals(), ...varied.map(({ id }) => ({ portal: id, variants: [id] }))]
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

export const seedPart: Part<SeedRow> = {
  name: 'seeds',
  onRequest: true,
  trials({ seed: first, seeds, runs }, judge) {
    const each = Array.from({ length: seeds }, (_, at) => first + at)
    return conformantPortals().flatMap(({ portal, ...altered }) =>
      each.map((seed) => ({
        name: `seed ${seed} on ${portal}`,
        run: async () => seedRow(portal, seed, await judge({ ...altered, seed, runs })),
      })),
    )
  },
  summary: (rows) =>
    byPortal(rows).map(({ portal, own }) => `Seeds on ${portal}: ${countOf(own, isClean)} times conformant`),
  sections: (rows) => [
    sectionOf(
      'Seeds',
      '',
      byPortal(rows),
      {
        Portal: ({ portal }) => portal,
        Seeds: ({ own }) => String(own.length),
        Conformant: ({ own }) => String(own.filter(isClean).length),
        Time: ({ own }) =>
          timeCell({ durationMs: own.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0) }),
      },
      [
        {
          kind: 'list',
          items: rows
            .filter((row) => !isClean(row))
            .map(({ portal, seed, problems }) => ({
              text: `Seed ${seed} on ${portal}: ${problems.join('; ')}`,
            })),
        },
      ],
    ),
  ],
}

type SeedRow = ReturnType<typeof seedRow>

/** The row of a portal that must be conformant. */
export function seedRow(portal: string, seed: number, judged: Judged) {
  const open = openOf(judged).filter((check) => isGatingCheck(check) && check.outcome !== 'not-applicable')
  return rowOf(judged, { portal, seed }, linesOf(open))
}

const byPortal = (rows: readonly SeedRow[]) =>
  [...new Set(rows.map(({ portal }) => portal))].map((portal) => ({
    portal,
    own: rows.filter((row) => row.portal === portal),
  }))
