/** docs/open-points.md: what the contract leaves open, what settles each point, and which are observed. */
import { declaredChecks } from '../runner/declared-checks.ts'
import { type OpenPoint, type OpenPointId, openPoints } from '../specs/open-points.ts'
import { operationIds, operationOf } from '../specs/operations.ts'
import { profiles } from '../specs/profiles.ts'
import type { Subject } from '../specs/requirement.ts'
import { anchor, code, linkTo, list, page, prose, table } from './markdown.ts'

/** A test holds this list against what a run on the embedded portal observes. */
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

/** The whole page. */
export async function openPointsPage(): Promise<string> {
  const definitions = (await declaredChecks()).map(({ definition }) => definition)
  const needing = (id: OpenPointId): string[] => [
    ...new Set(definitions.filter(({ settled }) => settled.includes(id)).map((each) => each.requirement)),
  ]
  const subjects = [...new Set(openPoints.map(({ operation }) => operation))]
  return page([
    '# Open points',
    introduction,
    table(
      ['open point', 'settled by', 'observed'],
      openPoints.map(({ id, settledBy }) => [linkTo(id), settlement(settledBy), yesNo(isObserved(id))]),
    ),
    ...subjects.map((subject) =>
      [
        `## ${titleOf(subject)}`,
        ...openPoints
          .filter(({ operation }) => operation === subject)
          .map((point) => entryOf(point, needing(point.id))),
      ].join('\n\n'),
    ),
  ])
}

const introduction = `What the contract does not say is never judged, and no deployment is held to one way of it. Of the ${openPoints.length} points below

- some are **settled**: by a key of the [configuration](configuration.md), or by the [profile](profiles.md) of the
  deployment. Then the suite uses the values. Requirements that need a point settled are not tested without;
- some are **observed**: a run notes what the deployment does. The report lists it, and
  \`portal-conformance compare\` shows where deployments differ. An observation is never part of a verdict;
- the others are only kept out of judged cases.`

const settlement = (settledBy: string | undefined): string =>
  settledBy === undefined ? '' : settledBy.split(', ').map(keyLink(settledBy)).join(', ')

/** Of several keys the later ones are written without what stands before the first one's last dot. */
const keyLink =
  (all: string) =>
  (key: string): string => {
    const parent = all.split(', ')[0]?.replace(/\.[^.]*$/, '') ?? ''
    const path = key.startsWith('.') ? parent + key : key
    return linkTo(path, 'configuration.md', code(path))
  }

const isObserved = (id: OpenPointId): boolean => observedPoints.includes(id)
const yesNo = (value: boolean): string => (value ? 'yes' : '')

const titleOf = (subject: Subject): string => {
  const operation = operationIds.find((id) => id === subject)
  if (operation !== undefined) return operationOf(operation).title
  return subject === 'protocol' ? 'What all operations have in common' : 'The interplay of all operations'
}

function entryOf(
  { id, question, settledBy }: OpenPoint & { id: OpenPointId },
  needing: readonly string[],
): string {
  const known = profiles.flatMap(({ name, points = [] }) =>
    points
      .filter(({ point }) => point === id)
      .map(({ effect, says }) => `Profile ${linkTo(name, 'profiles.md')} (${effect}): ${prose(says)}`),
  )
  const facts = [
    ...(settledBy === undefined ? [] : [`Settled by ${settlement(settledBy)}`]),
    ...(isObserved(id) ? ['Observed in every run whose checks of the operation are made'] : []),
    ...(needing.length === 0
      ? []
      : [`Must be settled for ${needing.map((each) => linkTo(each, 'requirements.md')).join(', ')}`]),
    ...known,
  ]
  const told = facts.length === 0 ? 'Kept out of judged cases.' : list(facts)
  return `${anchor(id)}\n\n### ${id}\n\n${prose(question)}\n\n${told}`
}
