/** docs/profiles.md: what built-in profiles say, and how to write one. */
import { stringify } from 'yaml'
import { schemaOf } from '../schemas/catalogue.ts'
import { closablePoints, type Profile } from '../specs/profile.ts'
import { profiles } from '../specs/profiles.ts'
import { requirements } from '../specs/requirements.ts'
import { anchor, code, codes, fenced, linkTo, list, page, prose, table } from './markdown.ts'

/** The whole page. */
export function profilesPage(): string {
  return page([
    '# Profiles',
    introduction,
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
    fenced(stringify(exampleProfile(), { lineWidth: 0 }), 'yaml'),
    rules,
  ])
}

const introduction = `The contract leaves points [open](open-points.md): where a credential stands, what the mode parameter of a sync is called,
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

function profilePart({ name, title, authentication, contract, errors = {}, points = [] }: Profile): string {
  const codesOf = Object.entries(errors).map(([cause, { codes: values, source }]) => [
    code(cause),
    values.join(', '),
    prose(source),
  ])
  return [
    `${anchor(name)}\n\n## ${name}`,
    `${prose(title)}.`,
    '### Values',
    fenced(stringify({ authentication, contract }, { lineWidth: 0 }), 'yaml'),
    ...(codesOf.length === 0
      ? []
      : ['### Error codes of refusals', table(['cause', 'error.code', 'source'], codesOf)]),
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

function exampleProfile(): unknown {
  return (schemaOf('profile').examples as readonly unknown[])[0]
}

const rules = `- \`extends\` names a built-in profile or a file, seen from this one. What this one says goes over it: \`authentication\` and
  \`contract.federation\` value by value, \`contract.sync\` and \`contract.run\` as a whole, points by their id, error codes by
  their cause. A profile that extends itself, also through others, is refused.
- Every point and every list of error codes has a \`source\`: the address or the name of a page, and whether that is
  documented, seen in a client, or inferred. Reports show it.
- An unknown point is refused, with the nearest known one named; so is \`closes\` for a point that is no list.
- \`portal-conformance plan --config FILE\` shows what can be tested with it.`
