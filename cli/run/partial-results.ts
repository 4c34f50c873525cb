/** Every check result as a line of a file while the run goes on: what a killed run leaves behind. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Begun } from '../../reporters/build-results.ts'
import { whyUnwritable } from '../../reporters/document.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { usageError } from '../command-error.ts'

export interface PartialResults {
  readonly file: string
  /** What the results begin with; to be told before the first of them. */
  begin(begun: Begun): void
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
    throw usageError(`--out ${directory}: cannot be written: ${whyUnwritable(error)}`)
  }
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  const line = (value: object) => {
    if (descriptor === undefined) return
    try {
      writeSync(descriptor, `${JSON.stringify(value)}\n`)
    } catch (error) {
      close()
      onTrouble(`${file}: no more can be written: ${(error as Error).message}`)
    }
  }
  return {
    file,
    begin: (begun) => line({ format: 'portal-conformance/partial-results', ...begun }),
    add: line,
    remove: () => {
      close()
      rmSync(file, { force: true })
    },
    close,
  }
}
