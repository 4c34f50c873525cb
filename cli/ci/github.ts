/** GitHub Actions: the summary of a step, and annotations. */
import { randomBytes } from 'node:crypto'
import { appendFile, stat } from 'node:fs/promises'
import { type Card, findingsByCause, sizeOf } from '../../reporters/cards.ts'
import { whyUnwritable } from '../../reporters/document.ts'
import type { Ending } from '../../reporters/exit-codes.ts'
import { troublesOf } from '../../reporters/finding-text.ts'
import { clientCases } from '../../reporters/report/parts.ts'
import type { Results } from '../../reporters/results.ts'
import { outcomeWords } from '../../reporters/wording.ts'
import { safeText } from '../../schemas/wording.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import type { CommandContext } from '../process/command-context.ts'

type Kind = 'error' | 'warning'

interface Annotation {
  readonly title: string
  readonly lines: readonly string[]
}

/** GitHub shows at most this many annotations of a kind for a step. */
const mostOfAKind = 10
/** Characters of a message. */
const longestMessage = 1000

/**
 * An error for each cause of failures, each mistake of a recorded client, each error of the run, and an exit code that the
 * verdict does not explain. A warning for each inconclusive requirement, unless a failure explains it, and for advice that
 * is not kept.
 */
export function annotations(results: Results, ending?: Ending): string[] {
  const cards = findingsByCause(results)
  const annotationsFor = (outcome: Outcome): Annotation[] =>
    cards.filter((card) => card.outcome === outcome).map(annotationOf)
  const blocked = new Set(cards.flatMap((card) => card.blocked))
  const open = results.requirements
    .filter(({ id, outcome }) => outcome === 'inconclusive' && !blocked.has(id))
    .map(({ id, text, reason }) => ({
      title: titleOf('inconclusive', id),
      lines: [text, reason ?? 'no reason given'],
    }))
  const troubles = troublesOf(results).map(({ message }) => ({ title: 'the run itself', lines: [message] }))
  const clients = clientCases(results)
    .filter(({ failed }) => failed)
    .map(({ id, message }) => ({ title: id, lines: [message] }))
  return [
    ...(ending?.why === undefined ? [] : [endingAnnotation(ending)]),
    ...commands('error', [...troubles, ...annotationsFor('failed'), ...clients]),
    ...commands('warning', [...open, ...annotationsFor('warned')]),
  ]
}

/** The exit code and its reason. */
export const endingAnnotation = ({ code, why = '' }: Ending): string =>
  command('error', { title: `exit ${code}`, lines: why.split('\n') })

const titleOf = (outcome: Outcome, id: string): string => `${outcomeWords[outcome].word}: ${id}`

function annotationOf(card: Card): Annotation {
  const { outcome, findings } = card
  const [{ requirement, check }] = findings
  const { failure } = check
  const found = failure === undefined ? [] : [`${failure.message} (came: ${failure.actual})`]
  const others = findings.length === 1 ? [] : [`${sizeOf(card)} show this.`]
  const again = failure === undefined ? [] : [`Again: ${failure.repeat}`]
  return { title: titleOf(outcome, requirement.id), lines: [requirement.text, ...found, ...others, ...again] }
}

const commands = (kind: Kind, all: readonly Annotation[]): string[] =>
  all.slice(0, mostOfAKind).map((each) => command(kind, each))

function command(kind: Kind, { title, lines }: Annotation): string {
  const message = lines.map((line) => shortened(safeText(line))).join('\n')
  return `::${kind} title=${escapedProperty(safeText(title))}::${escapedData(message)}`
}

const escapedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const shortened = (text: string): string =>
  text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`

type Environment = CommandContext['environment']

/**
 * Appends the summary if `GITHUB_STEP_SUMMARY` names a file, and annotates if `GITHUB_ACTIONS` is true. `complain`
 * receives why the summary cannot be written.
 */
export async function reportToGitHub(
  results: Results,
  ending: Ending,
  environment: Environment,
  { annotate, complain }: { annotate: (lines: string) => void; complain: (message: string) => void },
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = environment
  if (file !== undefined && file !== '') {
    try {
      await appendSummary(results, ending, file)
    } catch (error) {
      complain(`GITHUB_STEP_SUMMARY: the summary was not written: ${whyUnwritable(error)}`)
    }
  }
  const lines = environment.GITHUB_ACTIONS === 'true' ? annotations(results, ending) : []
  if (lines.length > 0) annotate(lines.map((line) => `${line}\n`).join(''))
}

/** The text with nothing in it that GitHub Actions takes for a command. */
export function withoutCommands(text: string, environment: Environment): string {
  if (environment.GITHUB_ACTIONS !== 'true' || text === '') return text
  const token = randomBytes(16).toString('hex')
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`
}

/** Appends to what other tools of the step have written; GitHub limits the whole file. */
async function appendSummary(results: Results, ending: Ending, file: string): Promise<void> {
  const { leastBytes, markdownReport, stepSummaryLimit } = await import('../../reporters/report/report.ts')
  const { size = 0 } = (await stat(file).catch(() => undefined)) ?? {}
  const gap = size === 0 ? '' : '\n\n'
  const room = stepSummaryLimit - size - gap.length
  if (room < leastBytes) {
    throw new Error(`${file} holds ${size} bytes already, and GitHub takes ${stepSummaryLimit}`)
  }
  await appendFile(file, gap + [...markdownReport(results, ending, room)].join(''))
}
