/** What a command knows of the process that it runs in; tests give it another. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { safeLines } from '../../reporters/safe-text.ts'
import type { ProgressStream } from '../../reporters/terminal/progress.ts'

type Signal = 'SIGINT' | 'SIGTERM'

export interface Surroundings {
  /** Carries what was asked for: reports, tables, paths. */
  readonly stdout: ProgressStream
  /** Shows users what they type themselves, addresses too; absent: stdout. */
  readonly echo?: ProgressStream
  /** Carries progress, warnings and errors. */
  readonly stderr: ProgressStream
  /** Where answers come from; absent: nobody can be asked. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly environment: NodeJS.ProcessEnv
  /** Where interruptions come from. */
  readonly signals: {
    on(signal: Signal, listener: () => void): unknown
    off(signal: Signal, listener: () => void): unknown
  }
  /** Ends the process at once. */
  leave(code: number): void
}

/**
 * The surroundings with streams that print no private key, no address of a person and, on stderr, no certificate.
 * Reports on stdout show certificates that the suite made up; those of a target were hidden when they came.
 */
export function guarded(surroundings: Surroundings): Surroundings {
  return {
    ...surroundings,
    echo: surroundings.stdout,
    stdout: through(surroundings.stdout, (text) => hidePersonal(text, 'private')),
    stderr: through(surroundings.stderr, (text) => hidePersonal(text, 'all')),
  }
}

// Width and colours are still those of the stream.
function through(stream: ProgressStream, change: (text: string) => string): ProgressStream {
  return new Proxy(stream, {
    get: (target, name) => {
      if (name === 'write') return (text: string) => target.write(change(text))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Writes the lines of a text and a line end, with nothing in them that a terminal obeys. */
export function say(stream: Pick<ProgressStream, 'write'>, text: string): void {
  stream.write(`${safeLines(text).join('\n')}\n`)
}

interface Interrupt {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** Leaves the signals to others again. */
  dispose(): void
}

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM']

/** Listens from now on; `onFirst` is called at the first signal. */
export function listenForInterrupt(surroundings: Surroundings, onFirst = () => {}): Interrupt {
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
  const over = new AbortController()
  const giveUp = async (): Promise<undefined> => {
    if (!signal.aborted) await once(signal, 'abort', { signal: over.signal })
    return sleep(milliseconds, undefined, { signal: over.signal })
  }
  try {
    return await Promise.race([work, giveUp().catch(() => undefined)])
  } finally {
    over.abort()
  }
}
