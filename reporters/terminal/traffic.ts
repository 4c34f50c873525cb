/** What only recorded traffic has: where it was recorded, what was left out, and what was found about clients. */
import type { ClientFinding } from '../../suites/traffic/traffic-report.ts'
import { countOf } from '../effort.ts'
import type { Results } from '../results.ts'
import type { Sheet } from './sheet.ts'

export function writeTraffic(sheet: Sheet, { run: { traffic } }: Results): void {
  if (traffic === undefined) return
  sheet.gap()
  sheet.text(0, 'Recorded', 'bold')
  for (const { url, exchanges } of traffic.baseUrls) {
    sheet.labelled(2, { text: `${countOf(exchanges, 'exchange')}:`, format: 'dim' }, `under ${url}`)
  }
  for (const { reason, count } of traffic.leftOut) {
    sheet.labelled(2, { text: `left out, ${count}:`, format: 'dim' }, reason)
  }
  if (traffic.client.length === 0) return
  sheet.gap()
  sheet.text(0, 'Client: requests that no conforming server needs to accept', 'bold')
  for (const finding of traffic.client) writeFinding(sheet, finding)
}

function writeFinding(sheet: Sheet, { id, level, operation, count, places, ...found }: ClientFinding): void {
  const label = level === 'finding' ? '✗ finding' : '· note   '
  sheet.labelled(2, { text: label, format: level === 'finding' ? 'red' : 'dim' }, `${id}, ${operation}`)
  sheet.text(8, found.message)
  sheet.labelled(8, { text: 'Expected:' }, found.expected)
  sheet.labelled(8, { text: 'Sent:' }, found.actual)
  const left = count - places.length
  sheet.labelled(8, { text: 'Where:' }, `${places.join('; ')}${left > 0 ? `; and ${left} more` : ''}`)
}
