/** Reports as files: their formats, and how they are written in pieces, so that a large one is never whole in memory. */
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Ending } from './exit-codes.ts'
import type { Results } from './results.ts'

/** Renders a report in pieces. `ending`: of the run that ends now. */
export type Render = (results: Results, ending?: Ending) => Iterable<string>

/** The report could not be written. One line for users. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'no right to write there; name another place, or change its rights',
  EPERM: 'no right to write there; name another place, or change its rights',
  EROFS: 'that file system is read-only; name another place, such as one under /tmp',
  ENOSPC: 'no space is left there; make room, or name another place',
  EISDIR: 'a file is expected, and there is a folder of that name',
  ENOTDIR: 'a part of that path is a file and no folder',
  ENOENT: 'no folder can be made there; name another place, such as one under /tmp',
  EEXIST: 'a folder is expected, and there is a file of that name',
}

/** Why the file cannot be written, and what to do, as the end of a line for users. */
export function whyUnwritable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

/** Creates a folder and its parents. Throws the error of the file system if it cannot. */
export function makeFolder(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  const above = dirname(resolve(directory))
  // Not with `recursive`: under /proc, where no folder can be created, that call of Node never returns.
  if (above !== resolve(directory)) makeFolder(above)
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Writes the pieces into the file, whole or not at all. Throws a DocumentError if the file cannot be written. */
export async function writeDocument(file: string, pieces: Iterable<string>): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`
  try {
    makeFolder(dirname(file))
    // A pipe or a device must not be replaced.
    const there = statSync(file, { throwIfNoEntry: false })
    const written = there === undefined || there.isFile() ? temporary : file
    await pipeline(Readable.from(pieces), createWriteStream(written))
    if (written === temporary) await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new DocumentError(`${file} was not written: ${whyUnwritable(error)}`)
  }
}

interface Format {
  /** The name of its file in the output directory. */
  readonly file: string
  /** Its purpose, in a few words. */
  readonly purpose: string
  readonly load: () => Promise<Render>
}

/** The formats of reports. Each renderer is loaded only if needed. */
export const formats = {
  html: {
    file: 'report.html',
    purpose: 'a page for people',
    load: async () => (await import('./report/report.ts')).htmlReport,
  },
  junit: {
    file: 'junit.xml',
    purpose: 'what CI servers show as tests',
    load: async () => (await import('./junit.ts')).junitReport,
  },
  markdown: {
    file: 'summary.md',
    purpose: 'a summary for a CI step or a pull request',
    load: async () => (await import('./report/report.ts')).markdownReport,
  },
  har: {
    file: 'evidence.har',
    purpose: 'the exchanges, for HTTP tools',
    load: async () => (await import('./har.ts')).harReport,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as FormatName[]

/** The path of a report that is requested only by its name. */
export function documentFile(directory: string, name: FormatName): string {
  return join(directory, formats[name].file)
}

/** Renders the results into the file. Throws a DocumentError if it cannot be written, and for an unknown format. */
export async function writeFormat(
  name: FormatName,
  results: Results,
  file: string,
  ending?: Ending,
): Promise<void> {
  // Programs without types may pass any text.
  if (!Object.hasOwn(formats, name))
    throw new DocumentError(`there is no format ${name}; known are ${formatNames.join(', ')}`)
  const render: Render = await formats[name].load()
  await writeDocument(file, render(results, ending))
}
