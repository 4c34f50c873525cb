/** What the declaration of a command works with. */
import type { Command } from 'commander'
import type { ExitCode } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'

export interface Declaring {
  readonly surroundings: Surroundings
  /** A new command of the program, with examples and what it exits with after its options. */
  readonly command: (name: string, description: string, help: string) => Command
  /** Makes an action of what resolves with the exit code of the program. */
  readonly does: <A extends unknown[]>(
    act: (...values: A) => Promise<ExitCode>,
  ) => (...values: A) => Promise<void>
}
