/** docs/requirements.md: every requirement, how it is judged, and the faults that prove that it can fail. */

import { declaredChecks } from '../../runner/declared-checks.ts'
import { ruleKinds } from '../../specs/clause.ts'
import { operationIds, operationOf } from '../../specs/operations.ts'
import { levels } from '../../specs/outcomes.ts'
import type { Requirement, Subject } from '../../specs/requirement.ts'
import { requirements } from '../../specs/requirements.ts'
import { anchor, linkTo, list, page, prose, table } from './markdown.ts'
import { requirementEntry } from './requirement-entry.ts'
import { ruleKindTexts } from './rule-kinds.ts'

type Known = (typeof requirements)[number]

const otherSubjects: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  protocol: {
    title: 'What all operations have in common',
    text: 'Judged on every operation, by one check each.',
  },
  lifecycle: { title: 'The interplay of all operations', text: 'Judged by sequences of operations.' },
  profile: {
    title: 'What a profile adds',
    text: 'Judged only where the [profile](profiles.md) of the deployment says something, and apart from the contract.',
  },
}

/** The whole page. */
export async function requirementsPage(): Promise<string> {
  const checks = (await declaredChecks()).map(({ file, definition }) => ({ file, ...definition }))
  const subjects = [...new Set(requirements.map(({ operation }) => operation))]
  const entryOf = (requirement: Known): string =>
    requirementEntry(
      requirement,
      checks.filter((check) => check.requirement === requirement.id),
    )
  return page([
    '# Requirements',
    introduction(checks.length),
    '## Contents',
    contents(subjects),
    howJudged(),
    ...subjects.map((subject) => section(subject, entryOf)),
  ])
}

const ofSubject = (subject: Subject): readonly Known[] =>
  requirements.filter(({ operation }) => operation === subject)

const introduction = (
  checks: number,
): string => `The contract as ${requirements.length} sentences that can be judged, each with its section, by ${checks} checks. Their ids are
stable names: reports, waivers and \`--requirement\` use them. \`portal-conformance requirements\` prints them as a table or
as JSON; \`portal-conformance plan --config FILE\` says which of them can be judged on a deployment.

${table(
  ['level', 'what it is', 'requirements'],
  levels.map((level) => [
    level,
    levelTexts[level],
    String(requirements.filter((each) => each.level === level).length),
  ]),
)}`

const levelTexts: Readonly<Record<Requirement['level'], string>> = {
  must: 'said by the contract; makes the verdict',
  implied: 'follows from what the contract says; makes the verdict',
  advice: 'good practice; a warning, unless `--fail-on advice`',
  'must (profile)': 'said by the profile; reported apart, unless `--fail-on profile`',
}

function contents(subjects: readonly Subject[]): string {
  const lines = subjects.map((subject) => {
    const count = ofSubject(subject).length
    const words = `${count} requirement${count === 1 ? '' : 's'}`
    return `${linkTo(`of-${subject}`, '', titleOf(subject))}: ${words}`
  })
  return list([linkTo('how-requirements-are-judged', '', 'How requirements are judged'), ...lines])
}

const howJudged = (): string => `${anchor('how-requirements-are-judged')}

## How requirements are judged

A *probe* is what the requirement speaks of. A *control* is a request that must be accepted, and that differs from the
probe in one thing. Where the control is not accepted, the probe proves nothing and the check is inconclusive: never
passed, never failed. *Accepted* is HTTP 2xx with a JSON object whose \`success\` is true and that holds no \`error\`;
every other complete answer is *refused*. What is found is tried again before it counts.

Each requirement has a kind, which says how it is judged in general:

${list(ruleKinds.map((kind) => `**${kind}**: ${ruleKindTexts[kind]}`))}

*Faults* prove that what makes the verdict can fail. They are ways in which the embedded portal can be made to break the contract. \`portal-conformance selftest\` shows of
each that exactly the requirements it breaks fail; [selftest.md](selftest.md) has the last result. Only of \`lifecycle/consistent\` none is named, since
whether a random sequence of operations meets a fault is a matter of luck. To see a fault found:
\`portal-conformance run --reference --fault ID\`.`

const titleOf = (subject: Subject): string => {
  const operation = operationIds.find((id) => id === subject)
  return operation === undefined ? (otherSubjects[subject]?.title ?? subject) : operationOf(operation).title
}

function section(subject: Subject, entryOf: (requirement: Known) => string): string {
  const operation = operationIds.find((id) => id === subject)
  const chosen = ofSubject(subject)
  const text =
    operation === undefined
      ? otherSubjects[subject]?.text
      : `§${operationOf(operation).section}, \`POST ${operationOf(operation).path}\`. Callers: ${prose(operationOf(operation).callers)}.`
  const index = table(
    ['requirement', 'level', '§', 'kind'],
    chosen.map(({ id, level, section: place, kind }) => [linkTo(id), level, place, kind]),
  )
  return [`${anchor(`of-${subject}`)}\n\n## ${titleOf(subject)}`, text, index, ...chosen.map(entryOf)].join(
    '\n\n',
  )
}
