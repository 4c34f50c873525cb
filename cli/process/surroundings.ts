/** What a command knows of the process that it runs in; tests give it another. */

import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import type { ProgressStream } from '../../reporters/terminal/progress.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

export interface Surroundings {
  /** Carries what was asked for: reports, tables, paths. */
  readonly stdout: ProgressStream
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
