/** Every check result as a line of a file while the run goes on: what a killed run leaves behind. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckResult } from '../../suites/check-result.ts'
import { usageError } from '../command-error.ts'

export interface PartialResults {
  readonly file: string
  add(result: CheckResult): void
  /** Once the results are written as a whole. */
  remove(): void
  /** Keeps the file. */
  close(): void
}

/**
 * Makes the output directory and the file, anew. Removes the results of an earlier run, which must not pass for those
 * of this one. Throws a usage error where the directory cannot be written.
 */
export function openPartialResults(directory: string, onTrouble: (message: string) => void): PartialResults {
  const file = join(directory, 'results.partial.ndjson')
  let descriptor: number | undefined
  try {
    mkdirSync(directory, { recursive: true })
    rmSync(join(directory, 'results.json'), { force: true })
    descriptor = openSync(file, 'w')
  } catch (error) {
    throw usageError(`--out ${directory}: cannot be written: ${(error as Error).message}`)
  }
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  return {
    file,
    add: (result) => {
      if (descriptor === undefined) return
      try {
        writeSync(descriptor, `${JSON.stringify(result)}\n`)
      } catch (error) {
        close()
        onTrouble(`${file}: no more can be written: ${(error as Error).message}`)
      }
    },
    remove: () => {
      close()
      rmSync(file, { force: true })
    },
    close,
  }
}
