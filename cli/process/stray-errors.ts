/** Errors that no code caught: during a run they must not end the process, and all that was measured with it. */
import { fileURLToPath } from 'node:url'

/** `rejection`: a promise that rejected; `exception`: code that broke off, after which something may wait for ever. */
export type StrayKind = 'exception' | 'rejection'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Whether the error comes from code of this package. */
const isOurs = (error: unknown): boolean =>
  String((error as Error | undefined)?.stack ?? '').includes(packageRoot)

/**
 * Takes such errors until the returned function is called. In the process of another program (`ownProcess` false) only
 * errors of this package are taken; any other one does what it would have done without us.
 */
export function takeStrayErrors(
  ownProcess: boolean,
  take: (error: unknown, kind: StrayKind) => void,
): () => void {
  const listenerFor = (event: 'uncaughtException' | 'unhandledRejection', kind: StrayKind) => {
    const listener = (error: unknown): void => {
      if (ownProcess || isOurs(error)) {
        take(error, kind)
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
  const stops = [
    listenerFor('uncaughtException', 'exception'),
    listenerFor('unhandledRejection', 'rejection'),
  ]
  const stop = () => {
    for (const each of stops) each()
  }
  return stop
}
