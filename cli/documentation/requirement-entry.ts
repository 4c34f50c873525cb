/** One requirement on its page: sentence, level, section, how it is judged, what its checks need, which faults prove it. */
import type { Fault } from '../../reference/faults/fault.ts'
import { faults } from '../../reference/faults/index.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { requirements } from '../../specs/requirements.ts'
import { judgedTexts } from './judged/index.ts'
import { anchor, code, codes, linkTo, list, prose } from './markdown.ts'

type Known = (typeof requirements)[number]

/** A check and the suite file that declares it. */
export type FiledCheck = CheckDefinition & { readonly file: string }

/** Heading and all that is known, as Markdown. */
export function requirementEntry(requirement: Known, checks: readonly FiledCheck[]): string {
  const { id, level, section, kind, text, follows } = requirement
  const judged = judgedTexts[id]
  return [
    `${anchor(id)}\n\n### ${id}`,
    prose(text),
    list([
      `**Level:** ${level}, §${section}, ${kind}`,
      ...(follows === undefined ? [] : [`**Follows from:** ${prose(follows)}`]),
      ...(judged?.control === undefined ? [] : [`**Control:** ${sentence(judged.control)}`]),
      judged === undefined
        ? `**How:** as every rule of the kind ${kind}`
        : `**Probe:** ${sentence(judged.probe)}`,
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
  whereOffered,
  operations,
  settled,
  overlapping,
  operation,
}: FiledCheck): string {
  const also = operation === undefined ? [] : operations.filter((each) => each !== operation)
  const parts = [
    `actors ${codes(actors)}`,
    `fixtures ${codes(fixtures)}`,
    ...(whereOffered.length === 0 ? [] : [`where fixtures offer it: ${codes(whereOffered)}`]),
    ...(also.length === 0 ? [] : [`also performs ${codes(also)}`]),
    ...settled.map((point) => `open point ${linkTo(point, 'open-points.md')} settled`),
    ...(overlapping ? ['at least two requests at a time'] : []),
  ]
  return parts.join('; ')
}

function faultLines(id: Known['id']): string[] {
  const breaking = faults.filter(({ breaks }) => breaks.includes(id))
  const told = ({ id: name, sentence: what }: Fault): string => `  - ${code(name)}: ${prose(what)}`
  return breaking.length === 0 ? [] : [`**Faults that prove it:**\n${breaking.map(told).join('\n')}`]
}
