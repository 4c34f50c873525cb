/** The folder that a vendor hands over: the statement of conformance, its evidence, and the digests of all files. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DocumentError, makeFolder, whyUnwritable, writeDocument } from '../document.ts'
import { documentFile, formats, writeFormat } from '../formats.ts'
import type { Results } from '../results.ts'
import { resultsFile, writeResults } from '../results-json.ts'
import { badgeEndpoint, badgeOf, badgeSvg } from './badge.ts'
import { statement } from './statement.ts'

interface Bundle {
  readonly results: Results
  /** The file that the results were read from. Complete results are copied unchanged. */
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

/** Writes the folder and resolves with the names of its files. Throws a DocumentError if it cannot be written. */
export async function writeBundle({
  results,
  source,
  directory,
  command,
}: Bundle): Promise<readonly string[]> {
  const file = (name: string): string => join(directory, name)
  try {
    makeFolder(directory)
    // Digests of an earlier bundle must not stay beside files of this one.
    await rm(file(sumsName), { force: true })
    // A killed run left no results.json, only a file in another format.
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
