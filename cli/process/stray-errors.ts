/** Errors that no code caught: during a run they must not end the process, and all that was measured with it. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FixtureSource } from '../../deployment/configuration/configuration.ts'

const events = ['uncaughtException', 'unhandledRejection'] as const

const root = new URL('../..', import.meta.url)
/** How frames of a stack trace name files of this package. */
const ours = [root.href, fileURLToPath(root)]

const stackOf = (error: unknown): string => String((error as Error | undefined)?.stack ?? '')

/** Whether the error comes from code of this package. */
function isOurs(error: unknown): boolean {
  const stack = stackOf(error)
  return ours.some((place) => stack.includes(place))
}

/** Where such an error comes from: the fixture module where its stack names that file, or else the suite. */
export function originOf(error: unknown, fixtures: FixtureSource | undefined): string {
  if (fixtures === undefined || !('module' in fixtures)) return 'the suite'
  const isTheirs = stackOf(error).includes(`${pathToFileURL(fixtures.module).href}:`)
  return isTheirs ? `fixtures.module ${fixtures.module}` : 'the suite'
}

/**
 * Takes such errors until the returned function is called. In the process of another program (`ownProcess` false) only
 * errors of this package are taken; any other one does what it would have done without us.
 */
export function takeStrayErrors(ownProcess: boolean, take: (error: unknown) => void): () => void {
  const listenTo = (event: (typeof events)[number]) => {
    const listener = (error: unknown): void => {
      if (ownProcess || isOurs(error)) {
        take(error)
        return
      }
      if (process.listenerCount(event) > 1) return
      // Alone, our listener would have hidden it: without it, the error ends the process.
      stop()
      setImmediate(() => {
        throw error
      })
    }
    process.on(event, listener)
    return () => void process.off(event, listener)
  }
  const stops = events.map(listenTo)
  const stop = () => {
    for (const each of stops) each()
  }
  return stop
}
