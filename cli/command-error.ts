/** Errors that end a command: those that it throws for users, and those that no code caught. */
import { writeFile } from 'node:fs/promises'
import { hidePersonal } from '../deployment/redaction/redaction.ts'
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

/** Errors that no code caught end a command in order, and never a run, which would lose what it measured. */
const events = ['uncaughtException', 'unhandledRejection'] as const

type Hide = (text: string) => string

/** The line for an error that no code caught, without the secrets that the command knows. */
export class LastWords {
  readonly #hiders = new Set<Hide>()

  /** Hides these secrets until the returned function is called. */
  hide(hide: Hide): () => void {
    this.#hiders.add(hide)
    return () => void this.#hiders.delete(hide)
  }

  of(error: unknown): string {
    const line = [...this.#hiders].reduce((text, hide) => hide(text), firstLine(error))
    return `portal-conformance broke: ${hidePersonal(line, 'all')}; please report\n`
  }
}

/** Ends the process with one line, unless a run listens for such errors. */
export function endOnUncaughtErrors(stream: { write(text: string): unknown }, lastWords: LastWords): void {
  for (const event of events) {
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) > 1) return
      stream.write(lastWords.of(error))
      process.exit(exitCodes.broken)
    })
  }
}

/** Takes such errors until the returned function is called. The process must serve one run alone. */
export function takeUncaughtErrors(take: (error: unknown) => void): () => void {
  for (const event of events) process.on(event, take)
  return () => {
    for (const event of events) process.off(event, take)
  }
}
