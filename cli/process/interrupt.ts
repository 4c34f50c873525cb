/** Ctrl-C and termination: the first ends the work in order, the second at once. */
import { exitCodes } from '../../reporters/exit-codes.ts'
import type { Signal, Surroundings } from './surroundings.ts'

interface Interrupt {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** Leaves the signals to others again. */
  dispose(): void
}

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM']

/** Listens from now on; `onFirst` is called at the first signal. */
export function listenForInterrupt(surroundings: Surroundings, onFirst: () => void): Interrupt {
  const controller = new AbortController()
  const listener = () => {
    if (controller.signal.aborted) {
      surroundings.leave(exitCodes.interrupted)
      return
    }
    onFirst()
    controller.abort()
  }
  for (const signal of signals) surroundings.signals.on(signal, listener)
  return {
    signal: controller.signal,
    dispose: () => {
      for (const signal of signals) surroundings.signals.off(signal, listener)
    },
  }
}

/** What the work resolves with, or `undefined` where that many milliseconds have passed since the signal. */
export async function untilAfter<T>(
  work: Promise<T>,
  signal: AbortSignal,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  let startClock = () => {}
  const gaveUp = new Promise<undefined>((resolve) => {
    startClock = () => {
      timer = setTimeout(resolve, milliseconds, undefined)
    }
  })
  if (signal.aborted) startClock()
  else signal.addEventListener('abort', startClock, { once: true })
  try {
    return await Promise.race([work, gaveUp])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', startClock)
  }
}
