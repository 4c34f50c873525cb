/** The folder that a vendor hands over: the statement of conformance, its evidence, a badge, and the digests of all files. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeBadge } from 'badge-maker'
import {
  DocumentError,
  documentFile,
  formats,
  makeFolder,
  whyUnwritable,
  writeDocument,
  writeFormat,
} from '../document.ts'
import type { Results } from '../results.ts'
import { writeResults } from '../results-json.ts'
import { coveredBy, verdictWords } from '../verdict.ts'
import { shortfallsOf, waivedRequirements } from './class-conformance.ts'
import { statement } from './statement.ts'

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

/** The verdict of a run as a badge. It never says plain `conformant` of a run with waivers, with a filter, or cut short. */
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
