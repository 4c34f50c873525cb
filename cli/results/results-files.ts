/** The files of results that a command line names, directly or by their folder. */
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { whyUnreadable } from '../../deployment/unreadable.ts'
import type { Results } from '../../reporters/results.ts'
import {
  partialFile,
  ResultsError,
  type ResultsOfFile,
  readResults,
  resultsFile,
} from '../../reporters/results-json.ts'
import { usageError } from '../command-error.ts'

/** The file, or results.json of the folder. Throws a usage error for the folder of a run that has not ended. */
export async function resultsFileOf(path: string): Promise<string> {
  if (!(await isFolder(path))) return path
  const [file, partial] = [resultsFile(path), partialFile(path)]
  if (existsSync(file) || !existsSync(partial)) return file
  throw usageError(
    `${file}: there is no such file: the run was killed or goes on; what it measured is in ${partial}`,
  )
}

/** The files, and every results.json in the folders and below, each once. Does not follow links to folders. */
export async function resultsFilesBelow(paths: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    const files = (await isFolder(path)) ? await below(path) : [path]
    if (files.length === 0) throw usageError(`${path}: there is no results.json in it, nor in a folder below`)
    for (const file of files) found.add(normalize(file))
  }
  return [...found]
}

/** The results in each file, reduced by `keep`. Throws a usage error that names every file that cannot be used. */
export async function readAll(
  files: readonly string[],
  keep: (results: Results) => Results = (results) => results,
): Promise<ResultsOfFile[]> {
  const read: ResultsOfFile[] = []
  const problems: string[] = []
  for (const file of files) {
    try {
      read.push({ file, results: keep(await readResults(file)) })
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error
      problems.push(error.message)
    }
  }
  if (problems.length > 0) throw usageError(problems.join('\n'))
  return read
}

/** The results that a path names. Throws a usage error if they cannot be used. */
export async function resultsAt(path: string): Promise<ResultsOfFile> {
  const [read] = await readAll([await resultsFileOf(path)])
  return read as ResultsOfFile
}

export async function isFolder(path: string): Promise<boolean> {
  // A path that cannot be examined counts as a file: reading it reports the error.
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw usageError(`${folder}: cannot be read: ${whyUnreadable(error)}`)
  })
  return entries
    .filter((entry) => entry.name === 'results.json' && !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
