/** What was recorded, as results say it: where, how much of it was judged, and what was found about clients. */
import type { JudgedTraffic } from './judge-traffic.ts'
import { type ClientFinding, clientFindings, type Writing } from './traffic-report.ts'

export interface TrafficSummary {
  /** How many files were read. */
  readonly recordings: number
  /** Entries of all files. */
  readonly entries: number
  /** Of them, exchanges of the operations, each once. */
  readonly exchanges: number
  /** Exchanges by operation. */
  readonly operations: Readonly<Record<string, number>>
  /** What was found before the paths of the operations, with the number of exchanges; the most frequent first. */
  readonly baseUrls: readonly { readonly url: string; readonly exchanges: number }[]
  /** Entries that are no exchanges of the operations, and exchanges whose answers could not be judged. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[]
  readonly client: readonly ClientFinding[]
}

/** What of the recordings is known before anything is judged. */
export interface Counted {
  readonly recordings: number
  readonly entries: number
  /** Entries that are not of the operations, by reason. */
  readonly ignored: ReadonlyMap<string, number>
  /** Exchanges of the operations, with those that two files hold. */
  readonly found: number
}

const twice = 'an exchange that was recorded twice'

export function trafficSummary(judged: JudgedTraffic, counted: Counted, writing: Writing): TrafficSummary {
  const { exchanges, unjudged } = judged
  const doubled = counted.found - exchanges.length
  const leftOut = [...counted.ignored, ...(doubled === 0 ? [] : [[twice, doubled] as const]), ...unjudged]
  const bases = tally(exchanges.map(({ baseUrl }) => baseUrl)).sort(([, one], [, other]) => other - one)
  return {
    recordings: counted.recordings,
    entries: counted.entries,
    exchanges: exchanges.length,
    operations: Object.fromEntries(tally(exchanges.map(({ operation }) => operation))),
    baseUrls: bases.map(([url, count]) => ({ url: writing.redactor.text(url), exchanges: count })),
    leftOut: leftOut.map(([reason, count]) => ({ reason: writing.redactor.text(reason), count })),
    client: clientFindings(judged, writing),
  }
}

function tally(names: readonly string[]): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
}
