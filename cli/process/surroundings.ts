/** What a command knows of the process that it runs in; tests give it another. */
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
