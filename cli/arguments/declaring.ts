/** What a command declares itself with. */
import type { Command } from 'commander'
import type { ExitCode } from '../../reporters/exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'

/** A file of a command. */
export interface Declaration {
  /** Adds arguments, options, help and action. */
  declare(declaring: Declaring): void
}

export interface Declaring {
  /** The command, with examples and what it exits with after its options. */
  readonly command: (help: string) => Command
  /** Makes an action of what takes arguments, options and surroundings, and resolves with the exit code of the program. */
  readonly does: <A extends unknown[]>(
    act: (...values: [...A, Surroundings]) => Promise<ExitCode>,
  ) => (...values: A) => Promise<void>
}
