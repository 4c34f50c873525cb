/** The process as a command sees it; tests pass another one. */
import { join, relative, sep } from 'node:path'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor, hidePersonal } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { safeLines } from '../../reporters/safe-text.ts'
import type { ProgressStream } from '../../reporters/terminal/progress.ts'
import type { LastWords } from '../command-error.ts'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface CommandContext {
  /** Carries the output of the command: reports, tables, paths. */
  readonly stdout: ProgressStream
  /** Shows users what they type, including mail addresses; absent: stdout. */
  readonly echo?: ProgressStream
  /** Carries progress, warnings and errors. */
  readonly stderr: ProgressStream
  /** The user's answers; absent: the command cannot ask. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly environment: NodeJS.ProcessEnv
  /** The script that the process runs, as the user named it. */
  readonly script?: string | undefined
  /** Interruptions by the user. */
  readonly signals: {
    on(signal: Signal, listener: (signal: Signal) => void): unknown
    off(signal: Signal, listener: (signal: Signal) => void): unknown
  }
  /** Ends the process at once. */
  leave(code: number): void
  /** The line for an error that no code caught; absent: another program takes such errors. */
  readonly lastWords?: LastWords
}

/**
 * The context with streams that print commands as they work here. The streams hide private keys and mail addresses, and
 * stderr hides certificates. Reports on stdout may show certificates: the suite made them up, and hides those of a target.
 */
export function guarded(commandContext: CommandContext, commands: readonly string[]): CommandContext {
  const { script, stdout, stderr } = commandContext
  const called = programName(script, process.cwd())
  const named = (text: string): string => asCalled(text, called, commands)
  return {
    ...commandContext,
    echo: through(stdout, named),
    stdout: through(stdout, (text) => named(hidePersonal(text, 'private'))),
    stderr: through(stderr, (text) => named(hidePersonal(text, 'all'))),
  }
}

/** The stream with changed text; width and colours stay. */
function through(stream: ProgressStream, change: (text: string) => string): ProgressStream {
  return new Proxy(stream, {
    get: (target, name) => {
      if (name === 'write') return (text: string) => target.write(change(text))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Writes the lines of a text and a line end, without control characters. */
export function say(stream: Pick<ProgressStream, 'write'>, text: string): void {
  stream.write(`${safeLines(text).join('\n')}\n`)
}

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Listens until disposed. Aborts and calls `onFirst` at the first signal, and leaves at once at the second. */
export function listenForInterrupt(
  commandContext: CommandContext,
  onFirst = () => {},
): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController()
  const listener = (signal: Signal) => {
    // A closed terminal sends SIGHUP, and its shell does so again.
    if (controller.signal.aborted && signal === 'SIGHUP') return
    if (controller.signal.aborted) return commandContext.leave(exitCodes.interrupted)
    onFirst()
    controller.abort()
  }
  for (const signal of signals) commandContext.signals.on(signal, listener)
  return {
    signal: controller.signal,
    dispose: () => {
      for (const signal of signals) commandContext.signals.off(signal, listener)
    },
  }
}

const name = 'portal-conformance'

/** `portal-conformance` if installed globally, `npx portal-conformance` in a project, `node dist/cli/main.js` in a checkout. */
export function programName(script: string | undefined, folder: string): string {
  if (script?.includes(`${sep}node_modules${sep}`)) return `npx ${name}`
  return script?.endsWith(join('dist', 'cli', 'main.js')) ? `node ${relative(folder, script)}` : name
}

/** The text with every command of this program as the user calls it. The name in the middle of a path is no command. */
export function asCalled(text: string, called: string, commands: readonly string[]): string {
  if (called === name) return text
  const words = [...commands, 'help', '--help'].join('|')
  return text.replace(new RegExp(String.raw`(?<![\w./-])${name}(?= (?:${words})\b)`, 'g'), called)
}

/** Every message becomes a warning without the secrets of the configuration. */
export function warningsTo(
  { stderr }: Pick<CommandContext, 'stderr'>,
  configuration: Configuration,
): (message: string) => void {
  const { text } = createRedactor(configuration)
  return (message) => say(stderr, `Warning: ${text(message)}`)
}

/** What a fixture program says becomes warnings. */
export function hearFixtures(fixtures: OpenFixtures, warn: (message: string) => void): void {
  fixtures.hear((line) => warn(`fixtures.command says: ${line}`))
}
