/** The table of open points in docs/profiles.md: how each is settled, and whether a run observes it. */
import { type OpenPointId, openPoints } from '../specs/open-points.ts'
import { anchor, code, codes, prose, table } from './markdown.ts'

/** A test compares this list with what a run on the embedded portal observes. */
export const observedPoints: readonly OpenPointId[] = [
  'required-parameters',
  'refusal-status',
  'content-types',
  'get-on-operation',
  'astral-counting',
  'text-normalisation',
  'markup',
  'empty-text',
  'equal-names',
  'negative-last-sync',
  'run-transitions',
  'duplicate-items',
  'spaces-in-items',
  'second-sync',
  'sync-job',
  'idempotent-deletion',
  'certificate-text',
]

/** A key that begins with a dot is a sibling of the first one. */
function keysThatSettle(settledBy = ''): string {
  const keys = settledBy.split(', ').filter((key) => key !== '')
  const parent = keys[0]?.replace(/\.[^.]*$/, '')
  return codes(keys.map((key) => (key.startsWith('.') ? `${parent}${key}` : key)))
}

/** The whole table. */
export const openPointsTable = (): string =>
  table(
    ['open point', 'question', 'settled by', 'observed'],
    openPoints.map((point) => [
      `${anchor(point.id)}${code(point.id)}`,
      prose(point.question),
      keysThatSettle('settledBy' in point ? point.settledBy : undefined),
      observedPoints.includes(point.id) ? 'yes' : '',
    ]),
  )
