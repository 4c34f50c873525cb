/** docs/open-points.md and docs/profiles.md: what the contract leaves open, what settles each point, and which are observed. */

import { stringify } from 'yaml'
import { titleOf } from '../reporters/wording.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { type OpenPoint, type OpenPointId, openPoints } from '../specs/open-points.ts'
import { closablePoints, type Profile } from '../specs/profile.ts'
import { profiles } from '../specs/profiles.ts'
import { requirements } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { anchor, code, codes, fenced, linkTo, list, page, prose, table } from './markdown.ts'

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
      openPoints.map(({ id, settledBy }) => [linkTo(id), settlement(settledBy), isObserved(id) ? 'yes' : '']),
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

/** Of several keys the later ones are written without what stands before the first one's last dot. */
function settlement(settledBy = ''): string {
  const keys = settledBy.split(', ').filter((key) => key !== '')
  const parent = keys[0]?.replace(/\.[^.]*$/, '')
  const paths = keys.map((key) => (key.startsWith('.') ? `${parent}${key}` : key))
  return paths.map((path) => linkTo(path, 'configuration.md')).join(', ')
}

const isObserved = (id: OpenPointId): boolean => observedPoints.includes(id)

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

/** The whole page. */
export function profilesPage(): string {
  return page([
    '# Profiles',
    aboutProfiles,
    table(
      ['effect', 'what it does'],
      [
        ['informs', 'nothing is judged by it: it is there to be read'],
        ['settles', 'the suite uses the values under `contract` or `authentication`'],
        ['closes', `besides, values that are not listed must be refused; for ${codes(closablePoints)} only`],
      ],
    ),
    '## What a profile adds to a verdict',
    judging,
    ...profiles.map(profilePart),
    '## A profile of your own',
    ownProfile,
    fenced(stringify(schemaOf('profile').examples?.[0], { lineWidth: 0 }), 'yaml'),
    rules,
  ])
}

const aboutProfiles = `The contract leaves points [open](open-points.md): where a credential stands, what the mode parameter of a sync is called,
which statuses a run takes. A profile settles them for a kind of deployment, each with the source where that is read. It
never changes a requirement of the contract: with a profile more can be tested, and nothing else is accepted.

    target:
      baseUrl: https://staging.example.com/sharing/rest
      profile: ${profiles[0]?.name}             # none by default; or the path of a file

What the configuration says itself, under \`authentication\` and \`contract\`, goes over the profile, value by value. Each
point of a profile has an effect:`

const judging = `Two things that a profile says are judged, by requirements of the level **must (profile)**: the error codes of refusals,
where it lists them under \`errors\`, and lists that it closes. They are reported apart from the contract. They are not part
of the verdict and do not change the exit code, unless \`run --fail-on profile\` asks for that. Of other deployments they are
not applicable.

${list(
  requirements
    .filter(({ level }) => level === 'must (profile)')
    .map(({ id, text }) => `${linkTo(id, 'requirements.md')}: ${prose(text)}`),
)}

A closed list of \`run-statuses\` is judged by ${linkTo('update-task-run/statuses', 'requirements.md')}, which is a must of the contract
and counts.`

function profilePart(profile: Profile): string {
  const {
    name,
    title,
    authentication,
    contract,
    jsonFormats,
    errors = {},
    points = [],
    shapes = [],
  } = profile
  const codesOf = Object.entries(errors).map(([cause, { codes: values, source }]) => [
    code(cause),
    values.join(', '),
    prose(source),
  ])
  return [
    `${anchor(name)}\n\n## ${name}`,
    `${prose(title)}.`,
    '### Values',
    fenced(stringify({ authentication, contract, jsonFormats }, { lineWidth: 0 }), 'yaml'),
    ...(codesOf.length === 0
      ? []
      : ['### Error codes of refusals', table(['cause', 'error.code', 'source'], codesOf)]),
    ...(shapes.length === 0
      ? []
      : [
          '### Known shapes',
          'These answers break the contract. They stay findings, which say what is known.',
          table(
            ['operation', 'what is known', 'source'],
            shapes.map(({ operation, says, source }) => [code(operation), prose(says), prose(source)]),
          ),
        ]),
    '### Points',
    list(
      points.map(
        ({ point, effect, says, source }) =>
          `${linkTo(point, 'open-points.md')} (${effect}): ${prose(says)}.<br>\n  Source: ${prose(source)}`,
      ),
    ),
    `\`[documented]\` is said by the documentation, \`[client]\` seen in a client that people use, \`[inferred]\` concluded from
samples.`,
  ].join('\n\n')
}

const ownProfile = `A profile is a file in YAML or JSON; [profile.schema.json](../schemas/profile.schema.json) describes it. Only \`format\`,
\`name\` and \`title\` must be there. Name the file in the configuration by its path: \`profile: ./my-portal.yaml\`.`

const rules = `- \`extends\` names a built-in profile or a file, seen from this one. What this one says goes over it: \`authentication\` and
  \`contract.federation\` value by value, \`contract.sync\` and \`contract.run\` as a whole, points by their id, error codes by
  their cause, \`jsonFormats\` as a whole. Known shapes (\`shapes\`) are looked for before those of what it extends. A profile that extends itself, also through others, is refused.
- Every point and every list of error codes has a \`source\`: the address or the name of a page, and whether that is
  documented, seen in a client, or inferred. Reports show it.
- An unknown point is refused, with the nearest known one named; so is \`closes\` for a point that is no list.
- \`portal-conformance run --dry-run --config FILE\` shows what can be tested with it.`
