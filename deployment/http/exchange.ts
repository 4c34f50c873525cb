/** One request and its answer: raw for judging, and as evidence once redacted. */

/** A request as it went over the wire. Holds secrets: it never leaves the process. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Who sends it, for its evidence. */
  readonly actor?: string
  /** What it asks for: the id of the operation. */
  readonly about?: string
  readonly sync?: SyncLimit
}

/** How long a workspace is busy at least, as its fixture says: with the sync that is asked for, or with one that runs. */
export interface SyncLimit {
  /** In milliseconds from the request. */
  readonly leastMs: number
  /** Another sync runs until then, in ms of `performance.now()`. */
  readonly busyUntil?: number
}

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>

/** A complete answer. Anything less is a `TransportError`. */
export interface Answer {
  readonly request: SentRequest
  readonly status: number
  /** Names in lower case. */
  readonly headers: HeaderValues
  /** After content decoding. */
  readonly body: Buffer
  /** When the request was handed to the connection and when the answer was complete, in ms of `performance.now()`. */
  readonly sentAt: number
  readonly answeredAt: number
  /**
   * What the same request met with before, in words: a gateway that did not answer for the service, or a connection
   * that was lost. The service may have done it then, so that a refusal now proves nothing. Absent: it was sent once.
   */
  readonly repeatedAfter?: readonly string[]
}

/** An exchange as reports show it: redacted, cut to a readable length. */
export interface Evidence {
  readonly request: { method: string; url: string; headers: Record<string, string>; body: string }
  /** Absent where no complete answer came; `error` then says why. */
  readonly response?: { status: number; headers: Record<string, string>; body: string; durationMs: number }
  readonly error?: string
  /** Repeats the request; credentials are environment variables in it. */
  readonly curl: string
  /** Who sent it. */
  readonly actor?: string
  /** When it was sent, in milliseconds since the run began. */
  readonly atMs?: number
  /** Until when at least a sync of its workspace runs, as the fixture says; in milliseconds since the run began. */
  readonly syncUntilMs?: number
}

/** What keeps an exchange from being complete. */
export type TransportFault =
  | 'unreachable'
  | 'timeout'
  | 'broken'
  | 'truncated'
  | 'too-large'
  | 'throttled'
  | 'unavailable'
  | 'not-sent'
  | 'tls'
  | 'interrupted'

/** No complete answer of the service came: neither accepted nor refused. The message is one line for users. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  readonly request: SentRequest
  /** As in an Answer; absent where the request was never handed to a connection. */
  readonly sentAt: number | undefined
  /** The last answer of a target that was throttling or not available. */
  readonly answer: Answer | undefined

  constructor(
    fault: TransportFault,
    message: string,
    request: SentRequest,
    { sentAt, answer }: { sentAt?: number | undefined; answer?: Answer } = {},
  ) {
    super(message)
    this.fault = fault
    this.request = request
    this.sentAt = sentAt ?? answer?.sentAt
    this.answer = answer
  }
}
