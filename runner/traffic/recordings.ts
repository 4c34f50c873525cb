/** Reads recordings (HAR files and folders of them) into exchanges, and finds the secrets in them. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Exchange, exchangeOf } from '../../clauses/exchange.ts'
import { completeConfiguration } from '../../deployment/configuration/complete-configuration.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { endsEarly, positionIn } from '../../deployment/http/exchange.ts'
import { percentDecoded } from '../../deployment/http/outgoing-request.ts'
import { addressOf, recordedExchange } from '../../deployment/recordings/har-entry.ts'
import { createRedactor, type Redactor } from '../../deployment/redaction/redaction.ts'
import { whyUnreadable } from '../../deployment/unreadable.ts'
import { at, jsonIn, textAt } from '../../schemas/values.ts'
import { recognise } from '../../specs/paths.ts'
import type { Counted } from './judged-traffic.ts'

/** A recording cannot be read. The message says what to do, in one line. */
export class HarError extends Error {
  override readonly name = 'HarError'
}

/** The size limit of a file in bytes. Parsing takes several times that in memory. */
const largestHar = 256 * 1024 * 1024

const exportAgain = 'save the recording again, as HAR with content'

/** The raw entries of a recording. For duplicate keys the last one counts. */
export async function readHarEntries(file: string, limit = largestHar): Promise<readonly unknown[]> {
  const text = (await readBounded(file, limit)).toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new HarError(`${file}: is empty; ${exportAgain}`)
  return entriesOf(file, parsed(file, text))
}

async function readBounded(file: string, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of createReadStream(file)) {
      length += (chunk as Buffer).length
      if (length > limit)
        throw new HarError(
          `${file}: is larger than ${megabytes(limit)}; record less at a time, or filter it for the paths of the operations first`,
        )
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
    // The parser's message quotes the file, which may hold secrets.
    const position = positionIn(error as Error)
    const at = position === undefined ? 'a syntax error' : `a syntax error at position ${position}`
    const where = endsEarly(text, error as Error) ? 'it ends too early' : at
    throw new HarError(`${file}: is not JSON (${where}); ${exportAgain}`)
  }
}

function entriesOf(file: string, har: unknown): readonly unknown[] {
  const log = at(har, 'log')
  if (typeof log !== 'object' || log === null) {
    throw new HarError(`${file}: is no HAR file: it has no object log; ${exportAgain}`)
  }
  const version = at(log, 'version')
  // By the specification, an empty or missing version means 1.1.
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

interface Recordings extends Counted {
  readonly exchanges: readonly Exchange[]
  readonly secrets: RecordedSecrets
}

/** The limit for all files together in bytes, since all exchanges are kept until the end. */
const largestTogether = 4 * largestHar

const otherPaths = 'for another path or another site'
const preflight = 'a preflight or HEAD request of a browser'
const unreadable = 'without a method or an HTTP address'

/** Throws a HarError that names the file if one cannot be read. */
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

/** The exchange in an entry, or why it is ignored. `place`: where the entry is, for people. */
export async function exchangeIn(entry: unknown, place: string): Promise<Exchange | string> {
  const address = addressOf(entry)
  if (address === undefined) return unreadable
  const recognised = recognise(address.url)
  if (recognised === undefined) return otherPaths
  if (address.method === 'OPTIONS' || address.method === 'HEAD') return preflight
  return exchangeOf(recognised, await recordedExchange(entry, address, place))
}

/** The file itself, or all .har files in a folder at any depth, sorted by name. */
async function harFiles(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    // Reading it will report what is wrong.
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
  throw new HarError(
    `the recordings are ${megabytes(total)} together, and at most ${megabytes(largestTogether)} are read at a time: judge them in parts`,
  )
}

const name =
  'token|password|passwd|pwd|secret|client_?secret|access_?token|refresh_?token|id_?token|api_?key|credentials?|authorization|code_verifier|assertion'
const secretName = new RegExp(`^(?:x-esri-authorization|proxy-authorization|x-api-key|${name})$`, 'i')
const secretPair = new RegExp(`(?:^|[?#&;\\s])(?:${name})=([^&;#\\s]+)`, 'gi')
const secretPart = new RegExp(
  `name="?(?:${name})"?[^\\r\\n]{0,500}\\r?\\n(?:[^\\r\\n]{1,500}\\r?\\n){0,4}\\r?\\n([^\\r\\n]+)`,
  'gi',
)
const secretMember = new RegExp(`"(?:${name})"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,8192}")`, 'gi')

/** Shorter secrets would hide ordinary text. In a field with a secret name they are hidden anyway. */
const shortest = 4
/** Many short cookies are no secrets. */
const shortestCookie = 8
/** Longer answers are not searched, in characters. */
const longestSearched = 256 * 1024

/** The secrets of recorded people, from every entry, even ignored ones. Hidden everywhere. */
export class RecordedSecrets {
  readonly #secrets = new Set<string>()

  add(entry: unknown): void {
    for (const side of ['request', 'response']) {
      for (const header of listOf(entry, side, 'headers'))
        this.#header(at(header, 'name'), at(header, 'value'))
      for (const cookie of listOf(entry, side, 'cookies')) this.#keep(at(cookie, 'value'), shortestCookie)
    }
    for (const field of [
      ...listOf(entry, 'request', 'queryString'),
      ...listOf(entry, 'request', 'postData', 'params'),
    ]) {
      if (secretName.test(String(at(field, 'name')))) this.#keep(at(field, 'value'))
    }
    this.#pairs(at(entry, 'request', 'url'))
    const posted = at(entry, 'request', 'postData', 'text')
    this.#pairs(posted)
    this.#found(posted, secretPart, (value) => value)
    this.#found(posted, secretMember, fromJson)
    this.#answer(entry)
  }

  /** Hides the collected secrets. */
  redactor(): Redactor {
    const redactor = createRedactor(noConfiguration(), [...this.#secrets])
    // The suite made nothing up in a recording, so certificates are somebody's.
    return { ...redactor, madeUp: redactor.text }
  }

  #header(name: unknown, value: unknown): void {
    if (typeof name !== 'string' || typeof value !== 'string') return
    if (/^(?:set-)?cookie$/i.test(name)) {
      for (const pair of value.split(/[;\n]/))
        this.#keep(pair.slice(pair.indexOf('=') + 1).trim(), shortestCookie)
    } else if (secretName.test(name)) {
      this.#keep(value, shortestCookie)
      this.#keep(value.trim().split(/\s+/).at(-1), shortestCookie)
    } else {
      this.#pairs(value)
    }
  }

  #pairs(text: unknown): void {
    this.#found(text, secretPair, (value) => value)
    this.#found(text, secretPair, fromForm)
  }

  #answer(entry: unknown): void {
    const text = textAt(entry, 'response', 'content', 'text')
    if (text === undefined || text.length > longestSearched) return
    const base64 = at(entry, 'response', 'content', 'encoding') === 'base64'
    this.#found(base64 ? Buffer.from(text, 'base64').toString('utf8') : text, secretMember, fromJson)
  }

  #found(text: unknown, pattern: RegExp, read: (value: string) => unknown): void {
    if (typeof text !== 'string') return
    for (const [, value] of text.matchAll(pattern)) this.#keep(read(value as string))
  }

  #keep(value: unknown, least = shortest): void {
    if (typeof value === 'string' && value.length >= least) this.#secrets.add(value)
  }
}

/** Recordings have no configuration. In this one, tokens are sent in the form, as known clients do. */
const noConfiguration = (): Configuration =>
  completeConfiguration({ target: { baseUrl: 'http://localhost' } }, { environment: {}, folder: '.' })

const fromForm = (value: string): string => percentDecoded(value.replaceAll('+', ' '))

const fromJson = (value: string): unknown => jsonIn(value) ?? value

function listOf(entry: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = at(entry, ...keys)
  return Array.isArray(list) ? list : []
}
