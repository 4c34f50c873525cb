/** `badge`: makes a badge of earlier results. */
import { badgeEndpoint, badgeOf } from '../../reporters/badge/badge.ts'
import { DocumentError, writeDocument } from '../../reporters/document.ts'
import { ResultsError, readResults } from '../../reporters/results-json.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'

export interface BadgeOptions {
  readonly svg?: string
  readonly json?: string
}

/** Throws a CommandError where nothing is asked for, or a file cannot be read or written. */
export async function badge(
  file: string,
  { svg, json }: BadgeOptions,
  { stdout }: Surroundings,
): Promise<ExitCode> {
  if (svg === undefined && json === undefined) {
    throw usageError('no badge is asked for: say where it goes with --svg FILE, --json FILE or both')
  }
  const results = await readResults(file).catch((error) => {
    throw error instanceof ResultsError ? usageError(error.message) : error
  })
  const made = badgeOf(results)
  const write = async (to: string, text: string) => {
    await writeDocument(to, [text]).catch((error) => {
      throw error instanceof DocumentError ? new CommandError(exitCodes.broken, error.message) : error
    })
    stdout.write(`${to}\n`)
  }
  if (svg !== undefined) {
    const { badgeSvg } = await import('../../reporters/badge/badge-svg.ts')
    await write(svg, badgeSvg(made))
  }
  if (json !== undefined) await write(json, badgeEndpoint(made))
  return exitCodes.conformant
}
