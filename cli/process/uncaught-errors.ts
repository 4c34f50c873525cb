/** Errors that no code caught: they end a command in order, and never a run, which would lose what it measured. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FixtureSource } from '../../deployment/configuration/configuration.ts'
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

const root = new URL('../..', import.meta.url)
/** How frames of a stack trace name files of this package. */
const ours = [root.href, fileURLToPath(root)]

const stackOf = (error: unknown): string => String((error as Error | undefined)?.stack ?? '')

function isOurs(error: unknown): boolean {
  const stack = stackOf(error)
  return ours.some((place) => stack.includes(place))
}

/** Where such an error comes from: the fixture module if its stack names that file, else the suite. */
export function originOf(error: unknown, fixtures: FixtureSource | undefined): string {
  if (fixtures === undefined || !('module' in fixtures)) return 'the suite'
  const isTheirs = stackOf(error).includes(`${pathToFileURL(fixtures.module).href}:`)
  return isTheirs ? `fixtures.module ${fixtures.module}` : 'the suite'
}

/**
 * Takes such errors until the returned function is called. In the process of another program (`ownProcess` false) it
 * takes errors of this package only; any other error has the effect that it would have without us.
 */
export function takeUncaughtErrors(ownProcess: boolean, take: (error: unknown) => void): () => void {
  const stops = events.map((event) => {
    const listener = (error: unknown): void => {
      if (ownProcess || isOurs(error)) take(error)
      else if (process.listenerCount(event) === 1) {
        // Our listener alone would hide the error: without it, the error ends the process.
        stop()
        setImmediate(() => {
          throw error
        })
      }
    }
    process.on(event, listener)
    return () => void process.off(event, listener)
  })
  const stop = (): void => {
    for (const each of stops) each()
  }
  return stop
}
