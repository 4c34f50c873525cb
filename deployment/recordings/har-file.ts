/** Reads HAR files (HTTP Archive 1.1 and 1.2), with a bound on what is read. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { at } from '../../schemas/any-value.ts'
import { positionIn } from '../http/exchange.ts'
import { whyUnreadable } from '../unreadable.ts'

/** The file is no recording that can be read. One line for users that says what to do. */
export class HarError extends Error {
  override readonly name = 'HarError'
}

/** The largest file that is read, in bytes: parsed it takes several times as much memory. */
export const largestHar = 256 * 1024 * 1024

const exportAgain = 'save the recording again, as HAR with content'

/** The entries of a recording, not looked at yet. Of keys that a file holds twice the last one counts. */
export async function readHarEntries(file: string, limit = largestHar): Promise<readonly unknown[]> {
  const text = (await readBounded(file, limit)).toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new HarError(`${file}: is empty; ${exportAgain}`)
  return entriesOf(file, parsed(file, text))
}

async function readBounded(file: string, limit: number): Promise<Buffer> {
  const tooLarge = (size: string) =>
    new HarError(
      `${file}: is ${size}, and at most ${megabytes(limit)} are read; record less at a time, or filter it for the paths of the operations first`,
    )
  const chunks: Buffer[] = []
  let length = 0
  try {
    const { size } = await stat(file)
    if (size > limit) throw tooLarge(megabytes(size))
    // The size of a pipe is not known before its end.
    for await (const chunk of createReadStream(file)) {
      length += (chunk as Buffer).length
      if (length > limit) throw tooLarge(`more than ${megabytes(limit)}`)
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (error instanceof HarError) throw error
    throw new HarError(`${file}: cannot be read: ${whyUnreadable(error)}`)
  }
  return Buffer.concat(chunks, length)
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message quotes the file, which holds secrets.
    const position = positionIn(error as Error)
    const at = position === undefined ? 'a syntax error' : `a syntax error at position ${position}`
    const where = endsEarly(text, error as Error) ? 'it ends too early' : at
    throw new HarError(`${file}: is not JSON (${where}); ${exportAgain}`)
  }
}

/** Whether it was the end of the text that the parser complained of. */
export function endsEarly(text: string, error: Error): boolean {
  const position = positionIn(error)
  return (
    /^Un(?:expected end|terminated)/.test(error.message) ||
    (position !== undefined && position >= text.length)
  )
}

function entriesOf(file: string, har: unknown): readonly unknown[] {
  const log = at(har, 'log')
  if (typeof log !== 'object' || log === null) {
    throw new HarError(`${file}: is no HAR file: it has no object log; ${exportAgain}`)
  }
  const version = at(log, 'version')
  // The specification: an empty version, or none, is 1.1.
  if (version !== undefined && version !== '' && !/^1\.\d+$/.test(String(version))) {
    throw new HarError(
      `${file}: is HAR of version ${JSON.stringify(version).slice(0, 40)}; 1.1 and 1.2 are read: ${exportAgain}`,
    )
  }
  const entries = at(log, 'entries')
  if (!Array.isArray(entries))
    throw new HarError(`${file}: is no HAR file: log.entries is no array; ${exportAgain}`)
  return entries
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`
