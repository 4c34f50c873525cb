/** Why a command ends early. */
import { writeFile } from 'node:fs/promises'
import { whyUnwritable } from '../reporters/document.ts'
import { type ExitCode, exitCodes } from '../reporters/exit-codes.ts'

/** Ends the command with that code; the message is for users and may have several lines. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command line or the configuration asks for something that cannot be done. */
export function usageError(message: string): CommandError {
  return new CommandError(exitCodes.usage, message)
}

/** What the command line names cannot be written, and why. */
export function unwritable(named: string, error: unknown): CommandError {
  return usageError(`${named}: cannot be written: ${whyUnwritable(error)}`)
}

/** Writes a file that an option names. Throws a usage error where it cannot be written; `wx`: also where it is there. */
export async function writeNamed(
  option: string,
  file: string,
  text: string,
  flag: 'w' | 'wx' = 'w',
): Promise<void> {
  await writeFile(file, text, { flag }).catch((error) => {
    throw unwritable(`${option} ${file}`, error)
  })
}

/** For `catch`: a usage error of what is of those classes; anything else is thrown as it is. */
export const asUsageError =
  (...classes: readonly (new (...values: never[]) => Error)[]) =>
  (error: unknown): never => {
    throw classes.some((each) => error instanceof each) ? usageError((error as Error).message) : error
  }
