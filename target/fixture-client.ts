/** Asks a fixture provider for what the checks act upon. */
import { Agent, type Dispatcher, request } from 'undici'
import type { HttpSettings } from './configuration.ts'
import { providerConnections } from './dispatcher.ts'
import { formatDuration } from './duration.ts'
import { wrongWith } from './fixture-answers.ts'
import { FixtureFailure, FixtureNotOffered } from './fixture-errors.ts'
import {
  type FixtureAnswers,
  type FixtureKind,
  type FixtureOptions,
  type ForRun,
  runHeader,
} from './fixture-kinds.ts'
import { Limiter } from './limiter.ts'

export interface FixtureClientOptions {
  /** Longest wait for one answer. Default: 30 s. */
  readonly timeoutMs?: number
  /** Ends what is under way; `cleanup` works all the same. */
  readonly signal?: AbortSignal
  /** How the provider is reached; absent: directly, and by those authorities alone that everybody trusts. */
  readonly http?: HttpSettings
  /** The run in whose name fixtures are asked for and removed. */
  readonly runId?: string
}

/** What a provider said to cleaning up; `none`: there is no provider. */
export type CleanupAnswer = 'done' | 'not-offered' | 'none'

const largestAnswer = 1024 * 1024
const longestExcerpt = 200
const longestReason = 500
/** So many fixtures are asked for at once: a provider that makes one after the other still answers in time. */
const atOnce = 8
const neverAborted = new AbortController().signal

export class FixtureClient {
  readonly #url: string | undefined
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined
  readonly #run: ForRun
  /** It did not answer in time once: it is not asked again, or every check would wait as long. */
  #hangs = false
  readonly #places = new Limiter(atOnce)
  readonly #connections: Dispatcher

  /** `url` undefined: nothing is offered. */
  constructor(url: string | undefined, options: FixtureClientOptions = {}) {
    this.#url = url?.replace(/\/+$/, '')
    this.#timeoutMs = options.timeoutMs ?? 30_000
    this.#signal = options.signal
    const limits = { maxResponseSize: largestAnswer, headersTimeout: 0, bodyTimeout: 0 }
    this.#connections =
      this.#url === undefined || options.http === undefined
        ? new Agent(limits)
        : providerConnections(options.http, this.#url, limits)
    this.#run = options.runId === undefined ? {} : { runId: options.runId }
  }

  /**
   * A fixture of that kind. Throws FixtureNotOffered where the provider has none, FixtureFailure where it fails or
   * hands out something else.
   */
  async obtain<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    if (this.#url === undefined) {
      const hint = 'add fixtures to the configuration: a url, a module, a command or static lists'
      throw new FixtureNotOffered(kind, `no fixture "${kind}": no provider is configured; ${hint}`)
    }
    const asked = `fixture "${kind}" ${JSON.stringify(options)}`
    const { status, body } = await this.#inTurn(kind, options, asked)
    if (status === 404) throw new FixtureNotOffered(kind, notOffered(kind, body))
    if (status !== 200)
      throw new FixtureFailure(`${asked}: the provider answered HTTP ${status}: ${reasonIn(body)}`)
    const answer = parsed(body)
    const wrong = wrongWith(kind, options, answer)
    if (wrong !== undefined)
      throw new FixtureFailure(`${asked}: ${wrong}; the provider answered ${excerpt(body)}`)
    return answer as FixtureAnswers[Kind]
  }

  /**
   * Has the provider remove what it handed out for the run, and ends the connection to it. Throws a FixtureFailure
   * where it cannot.
   */
  async cleanup(): Promise<CleanupAnswer> {
    try {
      if (this.#url === undefined) return 'none'
      // Not ended by the signal: cleaning up is due after an interruption as well.
      const { status, body } = await this.#post(this.#url, 'cleanup', this.#run, 'fixture cleanup', undefined)
      if (status === 404) return 'not-offered'
      if (status < 200 || status > 299) {
        throw new FixtureFailure(`fixture cleanup: the provider answered HTTP ${status}: ${reasonIn(body)}`)
      }
      return 'done'
    } finally {
      await this.#connections.destroy()
    }
  }

  /** The wait for an answer begins when it is asked for: a provider that takes its time is not late for a queue. */
  async #inTurn<Kind extends FixtureKind>(kind: Kind, options: FixtureOptions[Kind], asked: string) {
    // What runs by the clock must not grow old in the queue.
    const place = await this.#places.acquire(neverAborted, kind === 'scheduledSync')
    try {
      if (this.#hangs)
        throw new FixtureFailure(`${asked}: not asked for, since the provider did not answer before`)
      return await this.#post(this.#url!, kind, options, asked, this.#signal)
    } finally {
      place.release()
    }
  }

  async #post(
    url: string,
    path: string,
    options: object,
    asked: string,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number; body: string }> {
    // Cheaper than AbortSignal.timeout, which leaves a timer behind for every fixture.
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), this.#timeoutMs)
    const timeout = deadline.signal
    let answer: Dispatcher.ResponseData
    try {
      answer = await request(`${url}/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(this.#run.runId === undefined ? {} : { [runHeader]: this.#run.runId }),
        },
        body: JSON.stringify(options),
        dispatcher: this.#connections,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      throw new FixtureFailure(`${asked}: ${this.#whyUnanswered(error as Error, timeout, signal)}`)
    } finally {
      clearTimeout(timer)
    }
  }

  #whyUnanswered(error: Error, timeout: AbortSignal, signal: AbortSignal | undefined): string {
    if (signal?.aborted) return 'interrupted'
    if (timeout.aborted) {
      this.#hangs = true
      return `the provider did not answer within ${formatDuration(this.#timeoutMs)}`
    }
    const { code } = error as NodeJS.ErrnoException
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `the answer is larger than ${largestAnswer} bytes`
    return `the provider at ${new URL(this.#url!).origin} cannot be reached or broke off (${code ?? error.name})`
  }
}

function notOffered(kind: FixtureKind, body: string): string {
  const reason = (parsed(body) as { reason?: unknown } | undefined)?.reason
  if (typeof reason === 'string' && reason !== '') return `no fixture "${kind}": ${excerpt(reason)}`
  return `no fixture "${kind}": the provider does not offer it; add POST /${kind} to it, or fixtures.static.${kind}`
}

/** What the provider says of itself, where it says that; else the beginning of its answer. */
function reasonIn(body: string): string {
  const { reason, error } = (parsed(body) ?? {}) as { reason?: unknown; error?: unknown }
  const said = [reason, error].find((text): text is string => typeof text === 'string' && text !== '')
  return said === undefined ? excerpt(body) : excerpt(said, longestReason)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function excerpt(text: string, longest = longestExcerpt): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  if (line === '') return 'an empty body'
  return line.length <= longest ? line : `${line.slice(0, longest)}…`
}
