/** How often an intermittent fault is found: measured, and predicted from the number of requests that could show it. */
import { type Fault, faults } from '../../reference/faults/index.ts'
import { codeOf } from '../../reporters/nodes.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import type { Judged } from '../judgement.ts'
import { broken, cleanCell, countOf, isClean, manyRuns, type Part, sectionOf } from './part.ts'

/**
 * Faults that single exchanges show: for every operation those of callers, of the shape of answers and of identifiers in
 * them. Each breaks one requirement. Whether an echo is wrong depends on its text.
 */
export const powerFaults = [
  'workspace-size-as-string',
  'guests-add-workspaces',
  'members-add-workspaces',
  'anonymous-adds-workspaces',
  'run-id-as-number',
  'run-ids-swapped',
  'reassign-without-item-id',
  'error-details-owner-is-target',
  'other-user-reassigns',
  'anonymous-reassigns',
  'sync-without-job',
  'any-participant-syncs',
  'anonymous-syncs',
  'participant-portal-is-host',
  'guests-update-participants',
  'guests-delete',
  'anonymous-deletes',
  'federation-update-without-id',
  'federation-id-is-portal',
  'members-update-federations',
].map((id) => faults.find((fault) => fault.id === id) as Fault)

const rates = [2, 3, 5, 10]

export const powerPart: Part<PowerRow> = {
  name: 'power',
  trials: ({ seed, tries }, judge) =>
    powerFaults.map((fault) => ({
      name: `power ${fault.id}`,
      run: async () => {
        const judged = (oneIn: number, attempt: number) =>
          judge({
            sometimes: { fault: fault.id, when: oneIn },
            requirements: fault.breaks,
            seed: seed + attempt,
            runs: manyRuns,
          })
        const { looks } = await judged(0, 0)
        const found = new Map<number, Judged[]>()
        for (const oneIn of rates) {
          const judgements: Judged[] = []
          for (let attempt = 0; attempt < tries; attempt++) judgements.push(await judged(oneIn, attempt))
          found.set(oneIn, judgements)
        }
        return powerRow(fault, looks, found)
      },
    })),
  summary: (rows) => [`Faults that show now and then: ${countOf(rows, isClean)} found as often as predicted`],
  sections: (rows) => [
    sectionOf(
      'Faults that show now and then',
      [
        `Each shows in one of ${rates.join(', ')} requests, drawn by a seed, in runs with `,
        codeOf(`--runs ${manyRuns}`),
        ' of the checks of one requirement. Looks: the answers by which such a run judges the requirement. A cell says how often it was found, and in how many of a hundred runs the number of looks predicts that it shows at all.',
      ],
      rows,
      {
        Fault: ({ id }) => codeOf(id),
        Kind: ({ kind }) => kind,
        Requirement: ({ requirement }) => codeOf(requirement),
        Looks: ({ looks }) => String(looks),
        ...Object.fromEntries(rates.map((rate) => [`1 in ${rate}`, (row: PowerRow) => cellAt(rate, row)])),
        'As predicted': cleanCell,
      },
    ),
  ],
}

function cellAt(rate: number, row: PowerRow): string {
  const at = row.rates.find(({ oneIn }) => oneIn === rate)
  if (at === undefined) return ''
  const percent = (at.predicted * 100).toFixed(at.predicted < 0.995 ? 0 : 1)
  return `${at.found} of ${at.tries} (${percent} %)`
}

type PowerRow = ReturnType<typeof powerRow>

/** If chance explains so few discoveries with less than this probability, that is a problem. */
const leastLikely = 0.01

/** How often a fault was found at each rate. `looks` were counted without it. */
export function powerRow(
  { id, breaks }: Pick<Fault, 'id' | 'breaks'>,
  looks: number,
  judgements: ReadonlyMap<number, readonly Judged[]>,
) {
  const requirement = breaks[0] as RequirementId
  const rates = [...judgements].map(([oneIn, judged]) => ({
    oneIn,
    predicted: predicted(oneIn, looks),
    found: judged.filter(({ failed }) => failed.includes(requirement)).length,
    tries: judged.length,
  }))
  const unlikely = rates.filter((rate) => atMost(rate.found, rate.tries, rate.predicted) < leastLikely)
  const problems = [
    ...[...judgements.values()].flat().flatMap(({ broke }) => (broke === undefined ? [] : [broken(broke)])),
    ...unlikely.map(
      ({ oneIn, predicted, found, tries }) =>
        `one in ${oneIn}: found ${found} of ${tries} times, and ${(predicted * 100).toFixed(1)} % was predicted`,
    ),
  ]
  return { id, kind: requirementOf(requirement).kind, requirement, looks, rates, problems }
}

/** The probability that a fault that shows in one of N requests shows in at least one of these looks. */
export function predicted(oneIn: number, looks: number): number {
  return 1 - (1 - 1 / oneIn) ** looks
}

/** The probability that at most `found` of the tries succeed if each succeeds with that probability. */
function atMost(found: number, tries: number, probability: number): number {
  let sum = 0
  let ways = 1
  for (let count = 0; count <= found; count++) {
    sum += ways * probability ** count * (1 - probability) ** (tries - count)
    ways = (ways * (tries - count)) / (count + 1)
  }
  return Math.min(1, sum)
}
