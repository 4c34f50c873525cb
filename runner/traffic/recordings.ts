/** Reads recordings: HAR files, and folders of them, into exchanges that can be judged. */

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Exchange, exchangeOf } from '../../clauses/exchange.ts'
import { recognise } from '../../clauses/recognise.ts'
import { addressOf, recordedExchange } from '../../deployment/recordings/har-entry.ts'
import { HarError, largestHar, readHarEntries } from '../../deployment/recordings/har-file.ts'
import { RecordedSecrets } from '../../deployment/recordings/recorded-secrets.ts'
import { whyUnreadable } from '../../deployment/unreadable.ts'
import type { Counted } from './traffic-report.ts'

interface Recordings extends Counted {
  readonly exchanges: readonly Exchange[]
  readonly secrets: RecordedSecrets
}

/** What all files may hold together, in bytes: what is judged is kept until the end. */
const largestTogether = 4 * largestHar

const otherPaths = 'a request for another path or another site'
const preflight = 'a preflight or HEAD request of a browser'
const unreadable = 'an entry without a method or an HTTP address'

/** Throws a HarError that names the file where one cannot be read. */
export async function readRecordings(paths: readonly string[]): Promise<Recordings> {
  const files = (await Promise.all(paths.map(harFiles))).flat()
  const ignored = new Map<string, number>()
  const ignore = (reason: string) => ignored.set(reason, (ignored.get(reason) ?? 0) + 1)
  const secrets = new RecordedSecrets()
  const exchanges: Exchange[] = []
  let entries = 0
  await refuseTooMuch(files)
  for (const file of files) {
    const found = await readHarEntries(file)
    entries += found.length
    for (const [at, entry] of found.entries()) {
      secrets.add(entry)
      const exchange = await exchangeIn(entry, `${file}, entry ${at + 1}`)
      if (typeof exchange === 'string') ignore(exchange)
      else exchanges.push(exchange)
    }
  }
  return { recordings: files.length, entries, ignored, found: exchanges.length, exchanges, secrets }
}

/** What an entry of a recording holds, or why it is left out; `place` is where it stands, for people. */
export async function exchangeIn(entry: unknown, place: string): Promise<Exchange | string> {
  const address = addressOf(entry)
  if (address === undefined) return unreadable
  const recognised = recognise(address.url)
  if (recognised === undefined) return otherPaths
  if (address.method === 'OPTIONS' || address.method === 'HEAD') return preflight
  return exchangeOf(recognised, await recordedExchange(entry, address, place))
}

/** A file as it is named; of a folder all files that end in .har, at any depth, in the order of their names. */
async function harFiles(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    // The reading says what is wrong with it.
    () => false,
  )
  if (!isFolder) return [path]
  try {
    const names = await readdir(path, { recursive: true, withFileTypes: true })
    const files = names
      .filter((each) => each.isFile() && /\.har$/i.test(each.name))
      .map((each) => join(each.parentPath, each.name))
    if (files.length > 0) return files.sort()
  } catch (error) {
    throw new HarError(`${path}: cannot be read: ${whyUnreadable(error)}`)
  }
  throw new HarError(
    `${path}: holds no file that ends in .har; name a recording, or a folder that holds some`,
  )
}

async function refuseTooMuch(files: readonly string[]): Promise<void> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= largestTogether) return
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`
  throw new HarError(
    `the recordings are ${megabytes(total)} together, and at most ${megabytes(largestTogether)} are read at a time: judge them in parts`,
  )
}
