/** The statement of conformance: what was tested, what was not and why, and how to repeat it. Also the folder with it that a vendor hands over: evidence, a badge, and the digests of all files. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeBadge } from 'badge-maker'
import { outcomes } from '../../specs/outcomes.ts'
import { findingsByCause } from '../cards.ts'
import {
  DocumentError,
  documentFile,
  formats,
  makeFolder,
  whyUnwritable,
  writeDocument,
  writeFormat,
} from '../document.ts'
import { inMarkdown } from '../markdown/paint.ts'
import {
  codeOf,
  factsOf,
  type Inline,
  idOf,
  listOf,
  looking,
  type Node,
  outcomeOf,
  type Section,
  sectionOf,
  tableSection,
  textOf,
} from '../nodes.ts'
import { findings } from '../report/findings.ts'
import { facts, notices, observed } from '../report/parts.ts'
import type { Results } from '../results.ts'
import { writeResults } from '../results-json.ts'
import { coverageSentence, coveredBy, verdictWords } from '../verdict.ts'
import { capitalised } from '../wording.ts'
import {
  type ClassConformance,
  type ClassStatus,
  classConformances,
  overallStatus,
  shortfallsOf,
  waivedRequirements,
} from './class-conformance.ts'

/** What accompanies the statement. */
interface StatementContext {
  /** The command line that makes the same run again. */
  readonly command: string
  /** Names of the files beside the statement. */
  readonly files: readonly string[]
}

/** The statement in pieces. */
export function* statement(results: Results, context: StatementContext): Generator<string> {
  yield '# Statement of conformance\n\n![Verdict of the run](badge.svg)\n\n'
  yield* inMarkdown(nodes(results, context), Number.MAX_SAFE_INTEGER)
}

function* nodes(results: Results, { command, files }: StatementContext): Generator<Node> {
  const classes = classConformances(results)
  yield textOf(`Judged by portal-conformance ${results.suite.version}.`)
  yield facts(results)
  yield* notices(results)
  yield* summary(results, classes)
  for (const each of classes) yield classSection(each)
  yield* settledPoints(results)
  yield* findings(findingsByCause(results), 'text')
  yield requirementTable(results)
  yield* observed(results)
  yield repeating(results, command)
  yield sectionOf('Files', [
    listOf(files.map((file) => ({ text: codeOf(file) }))),
    textOf([codeOf('sha256sum -c SHA256SUMS'), ' in this folder checks that they are unchanged.']),
  ])
}

const statuses: readonly ClassStatus[] = ['conformant', 'non-conformant', 'not shown', 'not applicable']

function* summary(results: Results, classes: readonly ClassConformance[]): Generator<Node> {
  const coverage = coveredBy(results)
  const titles = (wanted: ClassStatus) =>
    classes.filter(({ status }) => status === wanted).map((each) => each.class.title)
  const sentences = {
    conformant: 'The run shows conformance to every class that applies',
    'non-conformant': 'The deployment does not conform',
    'not shown': 'The run does not show conformance to every class that applies',
  }
  const lists = statuses
    .filter((status) => titles(status).length > 0)
    .map((status) => `${status}: ${titles(status).join(', ')}`)
  const overall = looking('strong', `${sentences[overallStatus(results, classes)]}.`)
  yield textOf([overall, ` ${capitalised(lists.join('; '))}.`])
  if (coverage !== undefined) yield textOf(coverageSentence(coverage), 'strong')
}

function classSection({ class: { title, text }, status, reasons: why }: ClassConformance): Section {
  const heading = `Why it is ${status === 'not shown' ? 'not called conformant' : status}:`
  return sectionOf(`${title}: ${status}`, [
    textOf(text),
    ...(why.length === 0 ? [] : [textOf(heading), listOf(why.map((reason) => ({ text: reason })))]),
  ])
}

/** The open points that the configuration settled, which are part of the claim. */
function settledPoints({ target: { contract = {} } }: Results): Section[] {
  const rows = Object.entries(contract).map(([name, value]) => ({
    label: `contract.${name}`,
    text: codeOf(JSON.stringify(value)),
  }))
  const lead =
    'The contract leaves these points open. Profile and configuration settle them for this deployment:'
  return rows.length === 0 ? [] : [sectionOf('Settled open points', [textOf(lead), factsOf(rows)])]
}

/** Every requirement, the worst outcomes first, with the reason of an open one. */
function requirementTable({ requirements }: Results): Section {
  const byOutcome = outcomes.flatMap((outcome) => requirements.filter((each) => each.outcome === outcome))
  const lead =
    'Must and implied requirements make the verdict. Advice and rules of a profile are no part of conformance.'
  return tableSection(
    { title: 'Requirements', lead },
    {
      heads: ['Requirement', 'What must hold', 'Level', '§', 'Outcome'],
      rows: byOutcome.map(({ id, text, level, section, outcome, reason }): Inline[] => [
        idOf(id),
        text,
        level,
        section,
        [outcomeOf(outcome), reason === undefined ? '' : `: ${reason}`],
      ]),
    },
  )
}

function repeating({ run }: Results, command: string): Section {
  const which =
    run.options === undefined
      ? ' The results do not say which configuration was used: put it in place of FILE.'
      : ''
  const text = `The same seed makes the same requests. The configuration file that the command names is not part of this folder, and credentials come from the environment.${which}`
  return sectionOf('How to repeat it', [{ kind: 'command', label: 'Run', line: command }, textOf(text)])
}

// The folder.

interface Bundle {
  readonly results: Results
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

/** Writes the folder and resolves with the names of its files. Throws a DocumentError if it cannot be written. */
export async function writeBundle({ results, directory, command }: Bundle): Promise<readonly string[]> {
  const file = (name: string): string => join(directory, name)
  try {
    makeFolder(directory)
    // Digests of an earlier bundle must not stay beside files of this one.
    await rm(file(sumsName), { force: true })
    await writeResults(directory, results)
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

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** The text of a badge, and its colour at shields.io. */
interface Badge {
  readonly label: string
  readonly message: string
  readonly color: string
}

const label = 'portal-conformance'

/** The verdict of a run as a badge. It never says plain `conformant` of a run with waivers, with a filter, quick, or cut short. */
export function badgeOf(results: Results): Badge {
  const { verdict } = results
  const words = verdictWords(results)
  if (verdict === 'non-conformant') return { label, message: words, color: 'red' }
  const [shortfall] = shortfallsOf(results)
  if (shortfall !== undefined) return { label, message: `incomplete (${shortfall.short})`, color: 'orange' }
  if (verdict === 'incomplete') return { label, message: words, color: 'orange' }
  const waived = waivedRequirements(results).length
  if (waived > 0) return { label, message: `${words} (waived ${waived})`, color: 'yellow' }
  return { label, message: words, color: coveredBy(results) === undefined ? 'brightgreen' : 'green' }
}

/** The badge as JSON for the endpoint badge of shields.io. */
export function badgeEndpoint(badge: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, ...badge }, null, 2)}\n`
}

/** SVG, in the usual look of badges. */
export function badgeSvg(badge: Badge): string {
  return `${makeBadge({ ...badge })}\n`
}
