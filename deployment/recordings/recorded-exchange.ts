/** An exchange that somebody else had and a recording kept: what of it can be relied on. */
import type { Answer, SentRequest } from '../http/exchange.ts'
import type { FormField } from '../http/form.ts'

/** How the parameters of a recorded request were sent. `none`: without a body. */
export type FormKind = 'form' | 'multipart' | 'none' | 'other'

/** The parameters of a recorded request. */
export interface RecordedForm {
  /** Those of the query first, as servers merge them; decoded. */
  readonly fields: readonly FormField[]
  /** Names of those that stood in the query. */
  readonly inQuery: ReadonlySet<string>
  readonly kind: FormKind
  /** Content type of the body, without its parameters; empty where none was recorded. */
  readonly type: string
  /** Whether the values are known to be what was sent, character by character. */
  readonly exact: boolean
  /** Why there may be more parameters than the recording shows; absent: these are all. */
  readonly lacks?: string
}

export interface RecordedExchange {
  /** For people: the file, and the number of the entry in it, from 1. */
  readonly place: string
  readonly url: URL
  readonly request: SentRequest
  readonly form: RecordedForm
  /** When the request was sent, a Unix time in milliseconds; absent where the recording does not say. */
  readonly startedAt?: number
  /** Absent where the recording does not hold it: `lacks` says why. Its times are those of `startedAt`. */
  readonly answer?: Answer
  /** Why the answer cannot be judged; where there is an answer, all that is missing is the body of a refusal. */
  readonly lacks?: string
  /** Whether the bytes of the answer were recorded, and not only its text. */
  readonly bytes: boolean
}
