/** Tables with charts: when a run sent its requests, and how long answers took. */
import type { ExchangeSummary } from '../../schemas/types/results.ts'
import { histogram, strip } from '../html/charts.ts'
import { type Inline, idOf, looking, type Section, textOf } from '../nodes.ts'
import type { Results } from '../results.ts'
import { countOf, durationOf, operationTitle } from '../wording.ts'

/** Both parts. Empty if the results have no times. */
export function times({ exchanges, run }: Results): Section[] {
  return exchanges === undefined ? [] : [wholeRun(exchanges, run.durationMs), latency(exchanges)]
}

function wholeRun({ operations, sliceMs }: ExchangeSummary, durationMs: number): Section {
  const slices = Math.max(1, Math.ceil(durationMs / sliceMs), ...operations.map((each) => each.slices.length))
  const most = Math.max(1, ...operations.flatMap((each) => each.slices.map((slice) => sum(slice))))
  const rows = operations.map(({ operation, slices: counts }): Inline[] => {
    const [accepted, refused, broken] = [0, 1, 2].map((kind) => sum(counts.map((each) => each[kind] ?? 0)))
    const began = Math.max(
      0,
      counts.findIndex((each) => sum(each) > 0),
    )
    return [
      operationTitle(operation),
      { kind: 'picture', draw: () => strip(counts, slices, most) },
      `${accepted} accepted, ${refused} refused${broken === 0 ? '' : `, ${broken} without an answer`}`,
      `${durationOf(began * sliceMs)} to ${durationOf(Math.min(durationMs, counts.length * sliceMs))}`,
    ]
  })
  const keys: Inline = [
    looking('passed', '■ accepted'),
    ', ',
    looking('quiet', '■ refused'),
    ', ',
    looking('failed', '■ without an answer'),
  ]
  const lead = `Requests in each ${durationOf(sliceMs)} of the run, from its beginning to its end at ${durationOf(durationMs)}: `
  const heads = ['Operation', 'Over the run', 'Requests', 'From, to']
  return {
    kind: 'section',
    title: 'The run in time',
    id: 'run-time',
    blocks: [textOf([lead, keys, '.'], 'quiet'), { kind: 'table', label: 'The run in time', heads, rows }],
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const latencyHeads = [
  'Operation',
  'Distribution',
  'Answers',
  'Half within',
  '95 % within',
  'Slowest, and the check that waited',
]

function latency({ operations, boundsMs }: ExchangeSummary): Section {
  const most = Math.max(1, ...operations.flatMap(({ times: counts }) => counts))
  const rows = operations.map(({ operation, times: counts, slowest }): Inline[] => [
    operationTitle(operation),
    { kind: 'picture', draw: () => histogram(counts, most) },
    countOf(sum(counts), 'answer'),
    within(counts, boundsMs, 0.5),
    within(counts, boundsMs, 0.95),
    {
      kind: 'names',
      names: slowest.map(({ durationMs, check }) => [
        durationOf(durationMs),
        ' ',
        looking('quiet', idOf(check)),
      ]),
    },
  ])
  const lead = `Each bar is a class of times: up to ${boundsMs.map((bound) => durationOf(bound)).join(', ')}, and longer.`
  return {
    kind: 'section',
    title: 'How long answers took',
    id: 'latency',
    blocks: [
      textOf(lead, 'quiet'),
      { kind: 'table', label: 'How long answers took', heads: latencyHeads, rows },
    ],
  }
}

function within(counts: readonly number[], boundsMs: readonly number[], share: number): string {
  if (sum(counts) === 0) return 'no answer'
  const bound = boundWithin(counts, boundsMs, share)
  return bound === undefined ? `over ${durationOf(boundsMs.at(-1) ?? 0)}` : durationOf(bound)
}

/** The bound in ms within which that share of the answers came. Undefined if no bound holds that share. */
export function boundWithin(
  counts: readonly number[],
  boundsMs: readonly number[],
  share: number,
): number | undefined {
  const enough = Math.max(1, sum(counts) * share)
  let seen = 0
  return boundsMs[
    counts.findIndex((count) => {
      seen += count
      return seen >= enough
    })
  ]
}
