/** The statement of conformance that a vendor hands over: what was tested, what was not and why, and how to repeat it; with what it rests on, and the digests of all of it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeBadge } from 'badge-maker'
import { isGating, type Outcome, outcomes } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import { DocumentError, makeFolder, whyUnwritable, writeDocument } from '../document.ts'
import { waiverSentence } from '../finding-text.ts'
import { documentFile, formats, writeFormat } from '../formats.ts'
import { waivedRequirements } from '../outline.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { resultsFile, writeResults } from '../results-json.ts'
import { code, fenced, prose } from '../safe-text.ts'
import { coverageSentence, coveredBy, uncheckedTls, verdictWords } from '../verdict.ts'
import { capitalised, outcomeWords, signed } from '../wording.ts'
import {
  type ClassConformance,
  type ClassStatus,
  classConformances,
  overallStatus,
} from './class-conformance.ts'

/** What a badge says, and in which colour of shields.io. */
interface Badge {
  readonly label: string
  readonly message: string
  readonly color: string
}

const label = 'portal-conformance'

/** The verdict of a run as a badge. It never says plain `conformant` of what was waived, filtered, cut short or judged in part. */
export function badgeOf(results: Results): Badge {
  const { verdict } = results
  const words = verdictWords(results)
  if (verdict === 'non-conformant') return { label, message: words, color: 'red' }
  const part = partOf(results)
  if (part !== undefined) return { label, message: `incomplete (${part})`, color: 'orange' }
  if (verdict === 'incomplete') return { label, message: words, color: 'orange' }
  const waived = waivedRequirements(results).length
  if (waived > 0) return { label, message: `${words} (waived ${waived})`, color: 'yellow' }
  return { label, message: words, color: coveredBy(results) === undefined ? 'brightgreen' : 'green' }
}

/** What keeps the run from speaking of the whole contract; undefined where nothing does. */
function partOf({ run: { selection }, errors, complete }: Results): string | undefined {
  if (errors !== undefined && errors.length > 0) return 'run broken'
  if (complete !== true) return 'run cut short'
  return selection === undefined ? undefined : 'filtered'
}

/** The badge as JSON for the endpoint badge of shields.io. */
export function badgeEndpoint(badge: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, ...badge }, null, 2)}\n`
}

/** SVG, in the usual look of badges. */
export function badgeSvg(badge: Badge): string {
  return `${makeBadge({ ...badge })}\n`
}

/** What goes with the statement. */
interface StatementContext {
  /** The command line that makes the same run again. */
  readonly command: string
  /** Names of the files beside the statement. */
  readonly files: readonly string[]
}

/** The statement in pieces. */
export function* statement(results: Results, { command, files }: StatementContext): Generator<string> {
  const classes = classConformances(results)
  yield* head(results)
  yield* summary(results, classes)
  yield* classTable(classes)
  for (const each of classes) yield* classSection(each)
  yield* openPoints(results)
  yield* repeating(results, command)
  yield* bundle(files)
}

function* head(results: Results): Generator<string> {
  const { suite, target, run } = results
  const release = target.version === undefined ? 'release not stated' : `release ${prose(target.version)}`
  const edition = target.edition === undefined ? 'edition not stated' : `${prose(target.edition)} edition`
  const profile = target.profile === 'none' ? 'no profile' : `profile ${prose(target.profile)}`
  yield '# Statement of conformance\n\n'
  yield '![Verdict of the run](badge.svg)\n\n'
  yield `Judged: ${code(target.baseUrl)} (${release}, ${edition}, ${profile}).\n\n`
  const insecure = uncheckedTls({ target })
  if (insecure !== undefined) yield `**${insecure}**\n\n`
  yield `By: portal-conformance ${prose(suite.version)}, run ${code(run.id)}, begun ${prose(run.startedAt)}, `
  yield `${run.requests} requests, seed ${run.seed}, ${run.runs} cases of each generated check.\n\n`
}

function* summary(results: Results, classes: readonly ClassConformance[]): Generator<string> {
  const coverage = coveredBy(results)
  const titles = (wanted: ClassStatus) =>
    classes.filter(({ status }) => status === wanted).map((each) => each.class.title)
  const sentences = {
    conformant: 'The run shows conformance to every class that applies',
    'non-conformant': 'The deployment does not conform',
    'not shown': 'The run does not show conformance to every class that applies',
  }
  const statuses: readonly ClassStatus[] = ['conformant', 'non-conformant', 'not shown', 'not applicable']
  const lists = statuses
    .filter((status) => titles(status).length > 0)
    .map((status) => `${status}: ${titles(status).join(', ')}`)
  yield `**${sentences[overallStatus(results, classes)]}.** ${capitalised(lists.join('; '))}.\n\n`
  if (coverage !== undefined) yield `**${prose(coverageSentence(coverage))}**\n\n`
}

const columns: readonly Outcome[] = [
  'passed',
  ...outcomes.filter((each) => !['passed', 'warned'].includes(each)),
]

function* classTable(classes: readonly ClassConformance[]): Generator<string> {
  yield '## Classes\n\nMust and implied requirements by outcome; rules that all operations share count in each class. Advice and '
  yield 'rules of a profile are no part of conformance.\n\n'
  yield `| Class | Statement | ${columns.map((each) => outcomeWords[each].word).join(' | ')} |\n`
  yield `| --- | --- |${' ---: |'.repeat(columns.length)}\n`
  for (const { class: each, status, requirements } of classes) {
    const counts = columns.map((outcome) => countOf(requirements, outcome))
    yield `| ${each.title} | **${status}** | ${counts.join(' | ')} |\n`
  }
  yield '\n'
}

const countOf = (requirements: readonly RequirementResult[], outcome: Outcome): number =>
  requirements.filter((each) => isGating(each.level) && each.outcome === outcome).length

function* openPoints({ observations }: Results): Generator<string> {
  yield '## Open points observed\n\nThe contract leaves these open; nothing here counts for or against conformance.\n\n'
  if (observations.length === 0) yield 'None was observed.\n'
  for (const [question, several] of byKey(observations, (each) => each.question)) {
    yield `- ${prose(question)}\n`
    for (const [observed, alike] of byKey(several, (each) => each.observed)) {
      const where = [...new Set(alike.map(({ operation }) => operation))]
      yield `  - ${prose(where.join(', '))}: ${code(observed)}\n`
    }
  }
  yield '\n'
}

function* repeating({ run }: Results, command: string): Generator<string> {
  yield '## How to repeat it\n\n'
  yield `${fenced(command)}\n\n`
  yield 'The same seed makes the same requests. The configuration file that the command names is not part of this '
  yield 'folder, and credentials come from the environment of whoever runs it.'
  if (run.options === undefined)
    yield ' The results do not say which configuration was used: put it in place of FILE.'
  yield '\n\n'
}

function* bundle(files: readonly string[]): Generator<string> {
  yield '## Files\n\n'
  for (const file of files) yield `- \`${file}\`\n`
  yield '\n`sha256sum -c SHA256SUMS` in this folder shows whether they are as they were written.\n'
}

/** More findings of one requirement are told by their number. */
const mostFindings = 3

const unjudged: readonly Outcome[] = ['inconclusive', 'not-tested', 'not-applicable']

/** The section, ending in an empty line. */
function* classSection({
  class: { title, text },
  status,
  reasons,
  requirements,
}: ClassConformance): Generator<string> {
  yield `## ${title}: ${status}\n\n${prose(text)}\n\n`
  if (reasons.length > 0) {
    yield `Why it is ${status === 'not shown' ? 'not called conformant' : status}:\n\n`
    for (const reason of reasons) yield `- ${prose(reason)}\n`
    yield '\n'
  }
  yield* requirementTable(requirements)
  yield* findings('Failed', requirements, 'failed')
  yield* findings('Failed, and waived', requirements, 'waived')
  yield* findings('Advice not kept', requirements, 'warned')
  for (const outcome of unjudged) {
    const { word } = outcomeWords[outcome]
    const such = requirements.filter((each) => each.outcome === outcome)
    yield* reasonsFor(`${capitalised(word)}, and why`, such)
  }
  const shortened = requirements.filter(({ outcome, reason }) => outcome === 'passed' && reason !== undefined)
  yield* reasonsFor('Passed with fewer cases than asked for', shortened)
}

function* requirementTable(requirements: readonly RequirementResult[]): Generator<string> {
  yield '| Requirement | What must hold | Level | § | Outcome |\n| --- | --- | --- | --- | --- |\n'
  const byOutcome = outcomes.flatMap((outcome) => requirements.filter((each) => each.outcome === outcome))
  for (const { id, text, level, section, outcome } of byOutcome) {
    yield `| \`${id}\` | ${prose(text)} | ${level} | ${prose(section)} | ${signed(outcome)} |\n`
  }
  yield '\n'
}

function* findings(
  title: string,
  requirements: readonly RequirementResult[],
  outcome: Outcome,
): Generator<string> {
  const found = requirements
    .map(({ id, level, checks }) => ({
      id,
      level,
      checks: checks.filter((each) => each.outcome === outcome),
    }))
    .filter(({ checks }) => checks.length > 0)
  if (found.length === 0) return
  yield `### ${title}\n\n`
  for (const { id, level, checks } of found) {
    yield `- \`${id}\` (${level})\n`
    for (const check of checks.slice(0, mostFindings)) yield* finding(check)
    const left = checks.length - mostFindings
    if (left > 0) yield `  - and ${left} more in results.json\n`
  }
  yield '\n'
}

function* finding(check: ReportedCheck): Generator<string> {
  const { id, failure, reason } = check
  yield `  - ${code(id)}: ${prose(failure?.message ?? reason ?? '')}\n`
  if (failure !== undefined) yield `    - came: ${code(failure.actual)}\n`
  const waived = waiverSentence(check)
  if (waived !== undefined) yield `    - ${prose(waived)}\n`
}

function* reasonsFor(title: string, such: readonly RequirementResult[]): Generator<string> {
  if (such.length === 0) return
  yield `### ${title}\n\n`
  for (const [reason, several] of byKey(such, (each) => each.reason ?? 'no reason given')) {
    yield `- ${prose(reason)}: ${several.map(({ id }) => `\`${id}\``).join(', ')}\n`
  }
  yield '\n'
}

interface Bundle {
  readonly results: Results
  /** The file that the results were read from: complete results are copied as they are. */
  readonly source: string
  readonly directory: string
  /** The command line that makes the same run again. */
  readonly command: string
}

const statementName = 'STATEMENT.md'
const sumsName = 'SHA256SUMS'
const names: readonly string[] = [
  statementName,
  'results.json',
  formats.html.file,
  formats.junit.file,
  'badge.svg',
  'badge.json',
]

/** Writes the folder and resolves with the names of its files. Throws a DocumentError where it cannot be written. */
export async function writeBundle({
  results,
  source,
  directory,
  command,
}: Bundle): Promise<readonly string[]> {
  const file = (name: string): string => join(directory, name)
  try {
    makeFolder(directory)
    // Digests of an earlier bundle must not stand beside files of this one.
    await rm(file(sumsName), { force: true })
    // A run that was killed left no results.json: its file has another format.
    if (results.complete === true) await copyUnlessSame(source, resultsFile(directory))
    else await writeResults(directory, results)
    await writeFormat('html', results, documentFile(directory, 'html'))
    await writeFormat('junit', results, documentFile(directory, 'junit'))
    const badge = badgeOf(results)
    await writeDocument(file('badge.svg'), [badgeSvg(badge)])
    await writeDocument(file('badge.json'), [badgeEndpoint(badge)])
    await writeDocument(file(statementName), statement(results, { command, files: names }))
    const sums: string[] = []
    for (const name of names) sums.push(`${await digestOf(file(name))}  ${name}\n`)
    await writeDocument(file(sumsName), sums)
  } catch (error) {
    if (error instanceof DocumentError || (error as NodeJS.ErrnoException).code === undefined) throw error
    throw new DocumentError(`${directory} was not written: ${whyUnwritable(error)}`)
  }
  return [...names, sumsName]
}

async function copyUnlessSame(source: string, copy: string): Promise<void> {
  const existing = await realpath(copy).catch(() => undefined)
  if (existing !== (await realpath(source))) await copyFile(source, copy)
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
