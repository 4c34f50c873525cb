/** A fixture provider that is a program: started once, asked by lines of JSON, and ended with the run. */
import {
  type FixtureKind,
  type FixtureProvider,
  type FixtureReply,
  type ForRun,
  fixtureKinds,
} from '../fixture-kinds.ts'
import { Exchange, type Reply } from './exchange.ts'
import { startProgram } from './program.ts'
import { Sayings } from './sayings.ts'

export interface ProgramFixtures {
  readonly provider: FixtureProvider
  /** Told every line that the program prints on stderr, within bounds. Not redacted. */
  hear(listener: (line: string) => void): void
  /** Ends the program and all that it started. */
  close(): Promise<void>
}

// Shorter than the wait of who asks over HTTP, so that the program is named as the cause.
const longestAnswerMs = 25_000

/** Starts the command line in the folder. `answerMs`: longest wait for one answer. */
export function startProgramFixtures(
  { command, folder }: { readonly command: string; readonly folder: string },
  answerMs = longestAnswerMs,
): ProgramFixtures {
  const program = startProgram(command, folder)
  const exchange = new Exchange(program.stdin, program.stdout, answerMs)
  const sayings = new Sayings()
  program.stderr.setEncoding('utf8').on('data', (text: string) => sayings.push(text))
  program.stderr.on('end', () => sayings.end())
  const ended = program.ended.then((how) => exchange.end(how, sayings.last))
  const handOut = async (kind: FixtureKind, options: object, run: ForRun) =>
    handedOut(kind, await exchange.ask({ kind, options, ...run }))
  const kinds = fixtureKinds.map((kind) => [
    kind,
    (options: object, run: ForRun) => handOut(kind, options, run),
  ])
  return {
    provider: {
      ...(Object.fromEntries(kinds) as FixtureProvider),
      cleanup: async (run) => {
        const reply = await exchange.ask({ kind: 'cleanup', options: run, ...run }, { last: true })
        if ('error' in reply) throw new Error(String(reply.error))
      },
    },
    hear: (listener) => sayings.hear(listener),
    close: async () => {
      await program.stop()
      await ended
    },
  }
}

function handedOut(kind: FixtureKind, reply: Reply): FixtureReply<FixtureKind> {
  if ('fixture' in reply) return reply.fixture as FixtureReply<FixtureKind>
  if ('notOffered' in reply) return { notOffered: String(reply.notOffered) }
  if ('error' in reply) throw new Error(String(reply.error))
  throw new Error(
    `fixtures.command: the program answered a request for ${kind} without fixture, notOffered and error: one of them is needed`,
  )
}
