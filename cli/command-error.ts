/** Why a command ends early. */
import { writeFile } from 'node:fs/promises'
import { whyUnwritable } from '../reporters/document.ts'
import { type ExitCode, exitCodes } from '../reporters/exit-codes.ts'

/** Ends the command with this code. The message is for users and may have several lines. */
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

/** `named`: what the command line names, and cannot be written. */
export function unwritable(named: string, error: unknown): CommandError {
  return usageError(`${named}: cannot be written: ${whyUnwritable(error)}`)
}

/** Writes a file that an option names. Throws a usage error if it cannot be written; with `wx`, also if it exists. */
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

/** For `catch`: turns errors of these classes into usage errors, and throws any other error again. */
export const asUsageError =
  (...classes: readonly (new (...values: never[]) => Error)[]) =>
  (error: unknown): never => {
    throw classes.some((each) => error instanceof each) ? usageError((error as Error).message) : error
  }

/** The message of anything that was thrown, on one line. */
export function firstLine(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  const text = typeof message === 'string' && message !== '' ? message : String(error)
  return text.split('\n', 1)[0] as string
}
