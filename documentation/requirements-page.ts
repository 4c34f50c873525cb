/** docs/requirements.md: every requirement, how it is judged, and a fault that proves that it can fail. */
import { faults } from '../reference/faults/index.ts'
import type { CheckDefinition } from '../runner/check.ts'
import { type RuleKind, ruleKinds } from '../specs/operation.ts'
import { operations } from '../specs/operations.ts'
import { levels } from '../specs/outcomes.ts'
import { type Requirement, requirements, type Subject } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { anchor, code, codes, linkTo, list, page, prose, table } from './markdown.ts'

const ruleKindTexts: Readonly<Record<RuleKind, string>> = {
  shape:
    'The body of an answer is held against the schema of the contract, for generated requests of every form that is valid.',
  limits:
    'Up to the limit, and with everything that is optional left out, a request must be accepted; one step beyond it must be refused. The control of what must be refused is the same request within the limit.',
  roles:
    'The control is a request by a caller who may perform the operation. The probe is the same request, on a subject of its own where the operation uses its subject up, by a caller who may not.',
  relations:
    'What the answer names must be what the path or the form named. Where an id must be refused that is unknown, the control is the same request with the known one.',
  order:
    'Two requests one after the other: the first is the control of the second. Where time decides, the duration that the fixture promises is the measure, and what time cannot tell is inconclusive.',
  consequences:
    'The contract has no operation that reads, so what a request changed is seen from what later requests are answered. The control is that the later request was accepted, or would be, without the change.',
  races:
    'Requests that are released at the same moment, each with a place and a connection of its own. How many of them are accepted, or what they hold, is compared.',
}

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
as JSON; \`portal-conformance run --dry-run --config FILE\` says which of them can be judged on a deployment.

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

/** The heading of what is said of that subject. */
export const titleOf = (subject: Subject): string =>
  operationNamed(subject)?.title ?? otherSubjects[subject]?.title ?? subject

const operationNamed = (subject: Subject) => operations.find(({ id }) => id === subject)

function section(subject: Subject, entryOf: (requirement: Known) => string): string {
  const operation = operationNamed(subject)
  const chosen = ofSubject(subject)
  const text =
    operation === undefined
      ? otherSubjects[subject]?.text
      : `§${operation.section}, \`POST ${operation.path}\`. Callers: ${prose(operation.callers)}.`
  const index = table(
    ['requirement', 'level', '§', 'kind'],
    chosen.map(({ id, level, section: place, kind }) => [linkTo(id), level, place, kind]),
  )
  return [`${anchor(`of-${subject}`)}\n\n## ${titleOf(subject)}`, text, index, ...chosen.map(entryOf)].join(
    '\n\n',
  )
}

/** A check and the suite file that declares it. */
type FiledCheck = CheckDefinition & { readonly file: string }

/** Heading and all that is known, as Markdown. */
function requirementEntry(requirement: Known, checks: readonly FiledCheck[]): string {
  const { id, level, section, kind, text, follows } = requirement
  const told = checks.filter(({ probe }) => probe !== undefined)
  const { control, probe } = told.find((check) => check.id === id) ?? told[0] ?? {}
  return [
    `${anchor(id)}\n\n### ${id}`,
    prose(text),
    list([
      `**Level:** ${level}, §${section}, ${kind}`,
      ...(follows === undefined ? [] : [`**Follows from:** ${prose(follows)}`]),
      ...(control === undefined ? [] : [`**Control:** ${sentence(control)}`]),
      probe === undefined ? `**How:** as every rule of the kind ${kind}` : `**Probe:** ${sentence(probe)}`,
      ...checkLines(checks, text),
      ...faultLines(id),
    ]),
  ].join('\n\n')
}

const sentence = (text: string): string => `${prose(text)}.`

/** Checks that need the same are told together. */
function checkLines(checks: readonly FiledCheck[], text: string): string[] {
  if (checks.length === 0) return []
  const alike = new Set(checks.map(needsOf)).size === 1
  const lines = checks.map((check) => {
    const title = check.title === text ? [] : [prose(check.title)]
    const needs = alike ? [] : [`Needs: ${needsOf(check)}`]
    return `  - ${[`${code(check.id)} in ${fileLink(check.file)}`, ...title, ...needs].join('<br>\n    ')}`
  })
  const heading = `**Check${checks.length === 1 ? '' : 's'}:**\n${lines.join('\n')}`
  return alike ? [heading, `**Needs:** ${needsOf(checks[0] as FiledCheck)}`] : [heading]
}

const fileLink = (file: string): string => `[${file}.suite.ts](../suites/${file}.suite.ts)`

/** Actors, fixtures and settlements as one line. */
function needsOf({
  actors,
  fixtures,
  whereThere,
  operations,
  settled,
  traits,
  operation,
}: FiledCheck): string {
  const also = operation === undefined ? [] : operations.filter((each) => each !== operation)
  const parts = [
    `actors ${codes(actors)}`,
    ...(whereThere.actors.length === 0 ? [] : [`where there is such an actor: ${codes(whereThere.actors)}`]),
    `fixtures ${codes(fixtures)}`,
    ...(whereThere.fixtures.length === 0 ? [] : [`where fixtures offer it: ${codes(whereThere.fixtures)}`]),
    ...(also.length === 0 ? [] : [`also performs ${codes(also)}`]),
    ...settled.map((point) => `open point ${linkTo(point, 'open-points.md')} settled`),
    ...(traits.includes('overlapping') ? ['at least two requests at a time'] : []),
  ]
  return parts.join('; ')
}

/** One that breaks as little else as possible; `serve --list` has them all. */
function faultLines(id: Known['id']): string[] {
  const breaking = faults.filter(({ breaks }) => breaks.includes(id))
  const [example] = breaking.toSorted((one, other) => one.breaks.length - other.breaks.length)
  return example === undefined
    ? []
    : [`**A fault that proves it:** ${code(example.id)}: ${prose(example.sentence)}`]
}
