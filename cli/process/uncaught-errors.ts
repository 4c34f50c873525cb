/** Errors that no code caught: they end a command in order, and never a run, which would lose what it measured. */
import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { firstLine } from '../command-error.ts'

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
