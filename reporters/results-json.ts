/** results.json: written whole or not at all, and validated by its schema on write and on read. */
import { constants } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { whyUnreadable } from '../deployment/unreadable.ts'
import type { CheckResult } from '../runner/check-result.ts'
import { violations } from '../schemas/validators.ts'
import { jsonIn } from '../schemas/values.ts'
import { type Begun, buildResults } from './build-results.ts'
import { DocumentError, writeDocument } from './document.ts'
import type { Results } from './results.ts'

/** The file is no results.json that this version can use. One or a few lines for users. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError'
}

/** Results and their file. */
export interface ResultsOfFile {
  readonly file: string
  readonly results: Results
}

/** The path of the results in the output directory of a run. */
export function resultsFile(directory: string): string {
  return join(directory, 'results.json')
}

/** The path of what a run has measured so far. It stays if the run is killed. */
export function partialFile(directory: string): string {
  return join(directory, 'results.partial.ndjson')
}

/** Writes the results into the directory and resolves with the path of the file. Throws a ResultsError if it cannot. */
export async function writeResults(directory: string, results: Results): Promise<string> {
  const file = resultsFile(directory)
  const { complete, ...others } = results
  // The keys have the same order in the file, so `complete` is last.
  const ordered = { ...others, ...(complete === undefined ? {} : { complete }) }
  const wrong = violations('results', ordered)
  if (wrong.length > 0) {
    throw new ResultsError(
      [`${file} was not written: the results do not match their schema:`, ...wrong].join('\n  '),
    )
  }
  try {
    await writeDocument(file, piecesOf(ordered))
  } catch (error) {
    throw error instanceof DocumentError ? new ResultsError(error.message) : error
  }
  return file
}

/** The text of `JSON.stringify(value, null, 2)` with a line end, item by item, so that it is never whole in memory. */
function* piecesOf(value: object): Generator<string> {
  const indented = (item: unknown, by: string): string =>
    JSON.stringify(item, null, 2).replaceAll('\n', `\n${by}`)
  let before = '{\n'
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    yield `${before}  ${JSON.stringify(key)}: `
    before = ',\n'
    if (!Array.isArray(item) || item.length === 0) {
      yield indented(item, '  ')
      continue
    }
    for (const [at, each] of item.entries()) yield `${at === 0 ? '[' : ','}\n    ${indented(each, '    ')}`
    yield '\n  ]'
  }
  yield '\n}\n'
}

/**
 * The results in that file, or the partial results that a killed run leaves behind.
 * Throws a ResultsError that says what is wrong with the file.
 */
export async function readResults(file: string): Promise<Results> {
  let text: string
  let endedAt: number
  try {
    const { size, mtimeMs } = await stat(file)
    endedAt = mtimeMs
    // Checked first, because Node would load the file before it notices.
    if (size > constants.MAX_STRING_LENGTH) throw new Error(`it is too large (${size} bytes)`)
    text = await readFile(file, 'utf8')
  } catch (error) {
    const why = whyUnreadable(error, 'it is a folder; the file results.json of a run is expected')
    throw new ResultsError(`${file}: cannot be read: ${why}`)
  }
  let value: unknown
  try {
    value = text.startsWith(partialStart) ? partial(text, endedAt) : JSON.parse(text)
  } catch {
    throw new ResultsError(`${file}: is not JSON; did it come from "portal-conformance run"?`)
  }
  const version = (value as { formatVersion?: unknown } | null)?.formatVersion
  if (typeof version === 'number' && version !== 1) {
    throw new ResultsError(`${file}: has format version ${version}; this version reads format version 1`)
  }
  const wrong = violations('results', value)
  if (wrong.length > 0) {
    throw new ResultsError([`${file}: is no results.json of portal-conformance:`, ...wrong].join('\n  '))
  }
  return value as Results
}

const partialStart = '{"format":"portal-conformance/partial-results"'

/** From the lines of a run that ended early. The last one may have been cut off in the middle. */
function partial(text: string, endedAt: number): Results {
  const [head = '', ...lines] = text.split('\n')
  const { planned, run, target } = JSON.parse(head) as Begun
  const checks = lines.flatMap((line) => (jsonIn(line) as CheckResult | undefined) ?? [])
  const durationMs = Math.max(0, Math.round(endedAt - Date.parse(run.startedAt)))
  const results = buildResults({
    checks,
    planned,
    run: { ...run, durationMs },
    target,
    errors: [],
    interrupted: false,
  })
  const { complete: _, ...incomplete } = results
  return incomplete
}
