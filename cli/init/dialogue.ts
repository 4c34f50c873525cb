/** Questions and answers on a terminal: asks again after a wrong answer, and does not show passwords. */
import { on } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { safeLines } from '../../reporters/safe-text.ts'
import { widthOf, wrap } from '../../reporters/terminal/sheet.ts'
import { safeText } from '../../schemas/wording.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type CommandContext, listenForInterrupt } from '../process/command-context.ts'
import { looksLikeSecret } from './secret-texts.ts'

export interface Question<Value> {
  readonly text: string
  /** Explains the question, in a paragraph above it. */
  readonly about?: string
  /** The answer for Enter, shown in brackets; '' is shown as none. Absent: Enter is no answer. */
  readonly standard?: string
  /** What a refused answer looks like that may be offered again. Absent: any. */
  readonly form?: RegExp
  /** All possible answers, shown after the question. */
  readonly choices?: readonly string[]
  /** Throws a usage error for a wrong answer; then the question comes again, with the address that the error advises in brackets, or with this answer if there is no standard one. */
  readonly read: (answer: string) => Value | Promise<Value>
}

export interface Dialogue {
  /** Shows a text, wrapped to the terminal. */
  say(text: string): void
  /** Rejects with a CommandError if the input ends or the user interrupts. */
  ask<Value>(question: Question<Value>): Promise<Value>
  /** Asks for a text that does not show while the user types. */
  askHidden(text: string): Promise<string>
  /** Restores the terminal. */
  close(): void
}

/** `hide` removes secrets from a text. */
export function openDialogue(commandContext: CommandContext, hide: (text: string) => string): Dialogue {
  const { stdout, echo = stdout } = commandContext
  const lines = openLines(commandContext)
  const say = (text: string): void => {
    const wrapped = safeLines(hide(text)).flatMap((line) => wrap(line, widthOf(stdout)))
    echo.write(`${wrapped.join('\n')}\n`)
  }
  const promptOf = (text: string): string => {
    const wrapped = wrap(safeText(hide(text)), widthOf(stdout))
    for (const line of wrapped.slice(0, -1)) echo.write(`${line}\n`)
    return `${wrapped.at(-1)} `
  }
  const ask = async <Value>({
    text,
    about,
    choices,
    read,
    form = /./,
    ...question
  }: Question<Value>): Promise<Value> => {
    let { standard } = question
    const canRepeat = choices === undefined && standard === undefined
    if (about !== undefined) say(`\n${about}`)
    for (;;) {
      const among = choices === undefined ? '' : ` (${choices.join(', ')})`
      const shown = standard === undefined ? '' : ` [${standard || 'none'}]`
      const typed = (await lines.read(promptOf(`${text}${among}${shown}:`))).trim()
      const answer = typed === '' ? standard : completed(typed, choices)
      try {
        if (answer === undefined) throw usageError(answerNeeded)
        if (choices?.includes(answer) === false) throw usageError(`The answers are ${choices.join(', ')}.`)
        return await lines.unlessInterrupted(Promise.resolve(answer).then(read))
      } catch (error) {
        const problems = problemsOf(error)
        for (const problem of problems) say(problem)
        const advised = /set the base URL to (\S+?)(?:,|$)/.exec(problems.join(' '))?.[1]
        if (advised !== undefined) standard = advised
        else if (canRepeat && answer && form.test(answer) && !looksLikeSecret(answer)) standard = answer
      }
    }
  }
  const askHidden = async (text: string): Promise<string> => {
    for (;;) {
      const answer = await lines.read(promptOf(`${text}:`), 'hidden')
      if (answer !== '') return answer
      say(answerNeeded)
    }
  }
  return { say, ask, askHidden, close: lines.close }
}

/** The choice that begins with the typed text, such as yes for y. */
function completed(typed: string, choices: readonly string[] = []): string {
  const meant = choices.filter((choice) => typed !== '' && choice.startsWith(typed.toLowerCase()))
  return meant.length === 1 ? (meant[0] as string) : typed
}

const answerNeeded = 'An answer is needed; Ctrl-C ends init.'

/** What is wrong with an answer. Throws the error if no other answer helps, such as after an interrupt. */
function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigurationError) return error.problems
  const ends =
    error instanceof AnswersEnded || !(error instanceof CommandError) || error.exitCode !== exitCodes.usage
  if (!ends) return error.message.split('\n')
  throw error
}

interface Lines {
  /** The next line, without its end. Rejects at the end of the input, and at an interrupt. */
  read(prompt: string, hidden?: 'hidden'): Promise<string>
  unlessInterrupted<Value>(work: Promise<Value>): Promise<Value>
  close(): void
}

/**
 * Lines from the terminal. Typed text shows only while a visible line is awaited, so that a password does not show that
 * is typed before its question.
 */
function openLines(commandContext: CommandContext): Lines {
  const { stdin, stdout, echo = stdout } = commandContext
  let shows = false
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      if (shows) echo.write(String(chunk))
      done()
    },
  })
  // readline wraps lines by the width.
  Object.defineProperty(output, 'columns', { get: () => stdout.columns })
  const input = stdin as NodeJS.ReadableStream & { readonly setRawMode?: unknown }
  const terminal = typeof input.setRawMode === 'function'
  // The history would keep passwords.
  const reader = createInterface({ input, output, terminal, historySize: 0 })
  // The lines in their order, also those typed before their question.
  const typed = on(reader, 'line', { close: ['close'] })
  let dispose = (): void => undefined
  const interrupted = new Promise<never>((_resolve, reject) => {
    const interrupt = () =>
      reject(new CommandError(exitCodes.interrupted, 'Interrupted; nothing was written.'))
    // Ctrl-C is a key while readline reads the terminal.
    reader.on('SIGINT', interrupt)
    dispose = listenForInterrupt(commandContext, interrupt).dispose
  })
  // It may reject while nothing awaits it.
  interrupted.catch(() => undefined)
  const unlessInterrupted = <Value>(work: Promise<Value>): Promise<Value> => Promise.race([interrupted, work])
  return {
    read: async (prompt, hidden) => {
      shows = hidden === undefined
      if (terminal && shows) {
        reader.setPrompt(prompt)
        reader.prompt(true)
      } else echo.write(prompt)
      try {
        const { value, done } = await unlessInterrupted(typed.next())
        if (done === true) throw new AnswersEnded()
        return value[0] as string
      } finally {
        // The Enter after a hidden line does not show.
        if (terminal && !shows) echo.write('\n')
        shows = false
      }
    },
    unlessInterrupted,
    close: () => {
      dispose()
      reader.close()
    },
  }
}

/** The input has ended. */
class AnswersEnded extends CommandError {
  constructor() {
    super(exitCodes.usage, 'The answers ended early; nothing was written.')
  }
}
