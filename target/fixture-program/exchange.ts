/** Asks a program by lines of JSON, and finds out whose answer each line is. */
import type { Readable, Writable } from 'node:stream'
import { formatDuration } from '../duration.ts'
import { Lines } from './lines.ts'

/** One line for the program, without the id that it is given. */
export interface Question {
  readonly kind: string
  readonly options: object
  readonly runId?: string
}

/** What the program made of it. */
export type Reply =
  | { readonly fixture: unknown }
  | { readonly notOffered: string }
  | { readonly error: string }
  | Readonly<Record<string, never>>

interface Waiting {
  readonly answered: (reply: Reply) => void
  readonly failed: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

const longestAnswer = 1024 * 1024
const longestExcerpt = 100

const who = 'fixtures.command: the program'

export class Exchange {
  readonly #input: Writable
  readonly #answerMs: number
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  /** Why it is not asked any more: what it answers cannot be relied upon, or it has ended. */
  #broken: string | undefined
  #ended = false

  /** `answerMs`: the longest wait for one answer. */
  constructor(input: Writable, output: Readable, answerMs: number) {
    this.#input = input
    this.#answerMs = answerMs
    const lines = new Lines(longestAnswer, (line, whole) => this.#receive(line, whole))
    output.setEncoding('utf8').on('data', (text: string) => lines.push(text))
    output.on('end', () => lines.end())
  }

  /** Rejects with one line for users. `last`: asked also where an earlier answer could not be relied upon. */
  ask(question: Question, { last = false } = {}): Promise<Reply> {
    if (this.#broken !== undefined && (this.#ended || !last)) return Promise.reject(new Error(this.#broken))
    this.#asked += 1
    const id = this.#asked
    return new Promise((answered, failed) => {
      const timer = setTimeout(() => this.#late(id, question), this.#answerMs)
      this.#waiting.set(id, { answered, failed, timer })
      this.#input.write(`${JSON.stringify({ id, ...question })}\n`)
    })
  }

  /** Nothing more will come. `how` it ended and what it said last go into what all are told. */
  end(how: string, lastWords: string | undefined): void {
    this.#ended = true
    const words = lastWords === undefined ? '' : ` (it said last: ${lastWords})`
    this.#break(`${who} ${how}${words}; it must answer until its input ends: run it by hand to see why`)
  }

  #late(id: number, { kind }: Question): void {
    const request = JSON.stringify({ id, kind })
    const within = formatDuration(this.#answerMs)
    this.#break(
      `${who} did not answer ${request} within ${within}; each line that it reads must be answered by a line, and its output be flushed`,
    )
  }

  #receive(line: string, whole: boolean): void {
    if (!whole) {
      this.#break(
        `${who} printed a line of more than ${longestAnswer} characters; one answer must be shorter`,
      )
      return
    }
    const answer = objectIn(line)
    const { id } = answer ?? {}
    if (answer === undefined || id === undefined) {
      this.#break(
        `${who} printed what is no answer: ${excerpt(line)}; only answers may go to stdout, all else belongs on stderr`,
      )
      return
    }
    const waiting = this.#waiting.get(id as number)
    if (waiting === undefined) {
      this.#break(
        `${who} answered the id ${excerpt(JSON.stringify(id))}, which no request waits for; an answer repeats the id of its request, once`,
      )
      return
    }
    this.#waiting.delete(id as number)
    clearTimeout(waiting.timer)
    waiting.answered(answer as Reply)
  }

  #break(reason: string): void {
    this.#broken ??= reason
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { failed, timer } of all) {
      clearTimeout(timer)
      failed(new Error(reason))
    }
  }
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function excerpt(text: string): string {
  return text.length <= longestExcerpt ? text : `${text.slice(0, longestExcerpt)}…`
}
