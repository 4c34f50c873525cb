/** The report of a run as text for a terminal or a log. */
import type { Observation } from '../../suites/check-result.ts'
import { effortOf } from '../effort.ts'
import { byKey } from '../grouping.ts'
import { placesOf } from '../observed-places.ts'
import type { Results } from '../results.ts'
import { uncheckedTls } from '../verdict-sentence.ts'
import { writeOperations } from './operations.ts'
import { Sheet } from './sheet.ts'
import type { Paint } from './style.ts'
import { writeSummary } from './summary.ts'
import { writeTraffic } from './traffic.ts'

export interface Page {
  /** Characters in a line; commands may be longer. */
  readonly width: number
  readonly paint: Paint
}

/** The whole report, ending in a line end. Nothing that a target sent can act on a terminal. */
export function terminalReport(results: Results, { width, paint }: Page): string {
  const sheet = new Sheet(width, paint)
  writeHead(sheet, results)
  writeOperations(sheet, results.requirements)
  writeObservations(sheet, results.observations)
  writeTraffic(sheet, results)
  writeSummary(sheet, results)
  return sheet.toString()
}

function writeHead(sheet: Sheet, { suite, target, run }: Results): void {
  sheet.text(0, `portal-conformance ${suite.version}`, 'bold')
  const release = target.version === undefined ? 'release not configured' : `release ${target.version}`
  const edition = target.edition === undefined ? '' : `, ${target.edition}`
  const profile = target.profile === 'none' ? '' : `, profile ${target.profile}`
  sheet.labelled(2, { text: 'Target: ', format: 'dim' }, `${target.baseUrl} (${release}${edition}${profile})`)
  const insecure = uncheckedTls({ target })
  if (insecure !== undefined) sheet.text(2, insecure, 'red')
  const effort = `${effortOf(run)} in ${(run.durationMs / 1000).toFixed(1)} s`
  sheet.labelled(2, { text: 'Run:    ', format: 'dim' }, `${run.id}, ${run.startedAt}, ${effort}`)
}

function writeObservations(sheet: Sheet, observations: readonly Observation[]): void {
  if (observations.length === 0) return
  sheet.gap()
  sheet.text(0, 'Observed: what the contract leaves open, and this target does', 'bold')
  for (const [question, several] of byKey(observations, (observation) => observation.question)) {
    sheet.text(2, question)
    for (const [observed, alike] of byKey(several, (observation) => observation.observed)) {
      sheet.labelled(4, { text: `${placesOf(alike)}:`, format: 'dim' }, observed)
    }
  }
}
