/** What the process says where it breaks down and nobody catches the error: no stack, which may hold secrets. */
import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { firstLine } from './run-errors.ts'

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
