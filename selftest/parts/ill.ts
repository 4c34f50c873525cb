/** Conforming portals on which one operation fails now and then: no other operation may get a finding for it. */
import { codeOf } from '../../reporters/nodes.ts'
import { type Judged, linesOf } from '../judgement.ts'
import { illFaults } from '../sometimes.ts'
import { cleanCell, countOf, isClean, type Part, rowOf, sectionOf, timeCell } from './part.ts'

const rates = [2, 3, 10]

/** The longest run allowed, as a multiple of the run against a healthy portal. */
const mostTimes = 5

export const illPart: Part<IllRow> = {
  name: 'ill',
  onRequest: true,
  alone: true,
  trials({ seed, runs }, judge) {
    let healthy: Promise<Judged> | undefined
    return illFaults.flatMap(({ id, operation }) =>
      rates.map((oneIn) => ({
        name: `ill ${id}-1-in-${oneIn}`,
        run: async () => {
          // The first run of a process also loads modules, so the second one is measured.
          healthy ??= judge({ seed, runs }).then(() => judge({ seed, runs }))
          const well = await healthy
          const judged = await judge({ sometimes: { fault: id, when: oneIn }, seed, runs })
          return illRow({ id, oneIn, operation }, judged, well)
        },
      })),
    )
  },
  summary: (rows) => [`Operations that fail now and then: ${countOf(rows, isClean)} blamed for nothing else`],
  sections: (rows) => [
    sectionOf(
      'Operations that fail now and then',
      'One operation answers with an error or a page, does not answer, or closes the connection, in one of N requests: no other operation may get a finding, every check has a result, and the run takes at most five times as long.',
      rows,
      {
        Illness: ({ id }) => codeOf(id),
        'One in': ({ oneIn }) => String(oneIn),
        Clean: cleanCell,
        Time: timeCell,
      },
    ),
  ],
}

type IllRow = ReturnType<typeof illRow>

interface IllPortal {
  readonly id: string
  readonly oneIn: number
  readonly operation: string
}

/** The row of an ill portal: findings in other operations, missing results, and a run that takes too long. */
export function illRow({ id, oneIn, operation }: IllPortal, judged: Judged, healthy: Judged) {
  const blamed = judged.open.filter((check) => check.outcome === 'failed' && check.operation !== operation)
  const missing = healthy.results - judged.results
  const times = judged.durationMs / healthy.durationMs
  return rowOf(judged, { id, oneIn }, [
    ...linesOf(blamed),
    ...(missing <= 0 ? [] : [`${missing} checks have no result`]),
    ...(times <= mostTimes ? [] : [`took ${times.toFixed(1)} times as long as with a healthy portal`]),
  ])
}
