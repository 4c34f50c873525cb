/** Collects what broke in the suite itself: one line each, and one for many that broke in the same way. */
import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'

export class RunErrors {
  readonly #places = new Map<string, Set<string>>()

  /** `where`: a check, a file, or the part of the program in which it happened. */
  add(where: string, error: unknown): void {
    const message = firstLine(error)
    const places = this.#places.get(message) ?? new Set()
    this.#places.set(message, places.add(where))
  }

  lines(): string[] {
    return [...this.#places].map(([message, places]) => {
      const [first, ...others] = places
      return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}: ${message}`
    })
  }
}

/** The message of anything that was thrown, on one line. */
export function firstLine(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  const text = typeof message === 'string' && message !== '' ? message : String(error)
  return text.split('\n', 1)[0] as string
}

type Hide = (text: string) => string

/** Of the targets that are open. */
const hiders = new Set<Hide>()

/** Hides what it hides in the last words as well, until the returned function is called. */
export function alsoHide(hide: Hide): () => void {
  hiders.add(hide)
  return () => void hiders.delete(hide)
}

/** The line for an error that nobody caught. */
export function lastWords(error: unknown): string {
  const line = [...hiders].reduce((text, hide) => hide(text), firstLine(error))
  return `portal-conformance broke: ${hidePersonal(line, 'all')}; please report\n`
}

/** Ends the process in order where nobody else listens for such errors, as runs do. */
export function watchForBreakdown(stream: { write(text: string): unknown }): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) > 1) return
      stream.write(lastWords(error))
      process.exit(exitCodes.broken)
    })
  }
}
