/** One user of a portal, who performs administrative operations and reads: signs in, and again where a token ends. */
import { textAt } from '../../schemas/any-value.ts'
import type { PortalName } from '../configuration/actors.ts'
import { type Actor, baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import { CredentialError } from '../credentials/log-in.ts'
import { refererOf } from '../credentials/ready-actors.ts'
import { renewalTime, type SignIns } from '../credentials/sign-ins.ts'
import { Client } from '../http/client.ts'
import { diagnosisOf, isPageForPeople } from '../http/diagnosis.ts'
import { type Answer, bodyFields, errorCode, errorCodeOf, TransportError } from '../http/exchange.ts'
import type { FormField, FormFile, OutgoingRequest } from '../http/outgoing-request.ts'
import { outOfStep, unaskedWait } from '../http/pace.ts'
import { patiently } from '../patiently.ts'

/** The deployment did not do what was asked of it. One line for users, with what it said where that repeats no secret. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError'
  /** The error code of the answer, or its HTTP status; absent: none came. */
  readonly code: number | undefined
  /** Whether the deployment may have done it all the same, or may be about to: no answer of its own came. */
  readonly mayBeDone: boolean

  constructor(message: string, code?: number, mayBeDone = gatewayCodes.some((each) => each === code)) {
    super(message)
    this.code = code
    this.mayBeDone = mayBeDone
  }
}

/** What was asked for, or what `otherwise` makes of it that the deployment did not do it; any other error passes. */
export const ifRefused = <Wanted, Instead>(
  asked: Promise<Wanted>,
  otherwise: (error: AdministrationError) => Instead | Promise<Instead>,
): Promise<Wanted | Instead> =>
  asked.catch((error) => {
    if (error instanceof AdministrationError) return otherwise(error)
    throw error
  })

/** Why the deployment did not do it; undefined where it did. */
export const refusalOf = (asked: Promise<unknown>): Promise<AdministrationError | undefined> =>
  ifRefused(
    asked.then(() => undefined),
    (error) => error,
  )

/** The same as `ifRefused` where there is no such thing (any more), or none that may be seen; any other refusal passes, too. */
export const ifAbsent = <Wanted, Instead>(
  asked: Promise<Wanted>,
  instead: Instead,
): Promise<Wanted | Instead> =>
  ifRefused(asked, (error) => {
    if (saysAbsent(error)) return instead
    throw error
  })

const saysAbsent = ({ code = 0 }: AdministrationError): boolean => [400, 404, 410].includes(code)

/** Whether an error says something of the deployment, or of a login there, rather than of the suite. */
export const isOfDeployment = (error: unknown): error is AdministrationError | CredentialError =>
  error instanceof AdministrationError || error instanceof CredentialError

/** Codes of what stands before a deployment and got no answer in time. */
const gatewayCodes = [502, 504]

export type Body = Readonly<Record<string, unknown>>

export type Fields = Readonly<Record<string, string>>

interface Asked {
  readonly files?: readonly FormFile[]
  /** Beside the base URL and not below it. */
  readonly site?: true
  /** How long the answer may take where that is longer than others may, in milliseconds. */
  readonly longestMs?: number
}

/** The code of what was not asked since nobody could sign in: it is final. */
const noLogin = 401
type Waited = Pick<Asked, 'longestMs'>

/** Another token may help, or none was there. */
const tokenTrouble = [498, 499]
/** A page of a list holds at most so many; so many pages are read. */
const pageSize = 100
const mostPages = 500
const mostEmptyPages = 10
const tries = 3
const pauseMs = 150
/** What came too fast was not done, and is sent again for so long, in ms. */
const tooFast = 429
const mostWaitMs = 20_000
/** Of what the deployment says so much is told, in characters; so many in a row are too much of a secret. */
const mostSaid = 160
const telling = 6
/** A token may end while its request waits for its place. */
const mostTokens = 5

/** A path below another one; what stands in it may hold any character. */
export const below = (path: string, ...parts: readonly unknown[]): string =>
  [path, ...parts.map((part) => encodeURIComponent(String(part)))].join('/')

export class Administrator {
  readonly actor: Actor
  readonly #configuration: Configuration
  readonly #signIns: SignIns
  readonly #client: Client
  readonly #site: Client
  readonly #signal: AbortSignal | undefined
  #token: { readonly credential: string; readonly renewAt: number } | undefined
  #renewing: Promise<string> | undefined

  /** An aborted signal ends everything. */
  constructor(configuration: Configuration, actor: Actor, signIns: SignIns, signal?: AbortSignal) {
    this.actor = actor
    this.#configuration = configuration
    this.#signIns = signIns
    this.#signal = signal
    this.#client = new Client(configuration, { signal })
    const portals = { ...configuration.portals, [this.portal]: { id: '', baseUrl: this.siteUrl } }
    this.#site = new Client({ ...configuration, portals }, { signal })
    if (actor.credential !== '')
      this.#token = { credential: actor.credential, renewAt: Number.POSITIVE_INFINITY }
  }

  get portal(): PortalName {
    return this.actor.portal
  }

  /** Where the portal is found by this suite, without the path of its API. */
  get siteUrl(): string {
    return baseUrlOf(this.#configuration, this.portal).replace(/\/sharing\/rest$/, '')
  }

  /** Where other portals find it: by what it says of itself, or else where this suite does. */
  get ownUrl(): string {
    return this.#configuration.portals[this.portal]?.ownUrl ?? this.siteUrl
  }

  /** What a page says. Rejects with an AdministrationError. */
  read(path: string, fields: Fields = {}, asked: Waited = {}): Promise<Body> {
    return this.#insist(async () =>
      this.#understood(path, fields, await this.#send(path, fields, 'GET', asked)),
    )
  }

  /** The same of a page beside the base URL. */
  readBeside(path: string): Promise<Body> {
    return this.#insist(async () =>
      this.#understood(path, {}, await this.#send(path, {}, 'GET', { site: true })),
    )
  }

  /** Whether there is a user of that name. Rejects with an AdministrationError where that is not told. */
  async knows(username: string): Promise<boolean> {
    const page = this.read(below('/community/users', username))
    return (await ifAbsent(page, undefined)) !== undefined
  }

  /** Every entry of a list, page by page. */
  async readAll(path: string, name: string): Promise<Body[]> {
    const found: Body[] = []
    let empty = 0
    for (let start = 1, page = 0; page < mostPages && empty < mostEmptyPages; page++) {
      const body = await this.read(path, { start: String(start), num: String(pageSize) })
      const entries = Array.isArray(body[name]) ? (body[name] as Body[]) : []
      found.push(...entries)
      // A page may have lost all that its reader may not see.
      empty = entries.length === 0 ? empty + 1 : 0
      const next = Number(body.nextStart ?? -1)
      if (!(next > start)) break
      start = next
    }
    return found
  }

  /** The same; none where there is no such thing, yet or any more. */
  readAny(path: string, name: string): Promise<Body[]> {
    return ifAbsent(this.readAll(path, name), [])
  }

  /** Performs an operation once. Rejects with an AdministrationError where it was not done, or perhaps not. */
  async perform(path: string, fields: Fields = {}, asked: Asked = {}): Promise<Body> {
    return this.#understood(path, fields, await this.#send(path, fields, 'POST', asked))
  }

  /** Whether that was done: not known to be where no answer came. */
  async does(path: string, fields: Fields = {}): Promise<boolean> {
    try {
      await this.perform(path, fields)
      return true
    } catch (error) {
      if (isOfDeployment(error)) return false
      throw error
    }
  }

  /** Performs what may be done twice: again where it failed. */
  performAgain(path: string, fields: Fields = {}, asked: Asked = {}): Promise<Body> {
    return this.#insist(() => this.perform(path, fields, asked))
  }

  /**
   * The bytes of the file that an operation answers with, also as a part of several; an error is JSON all the same. Some
   * hand files out to whoever gets them only.
   */
  fetchFile(path: string, fields: Fields = {}, asked: Waited = {}): Promise<Buffer> {
    return this.#insist(async () => {
      let answer = await this.#send(path, fields, 'POST', asked)
      if (errorCodeOf(answer) === 405) answer = await this.#send(path, fields, 'GET', asked)
      const noFile = 'error' in bodyFields(answer) || isPageForPeople(answer)
      if (answer.status > 299 || noFile) this.#understood(path, fields, answer)
      return fileIn(answer)
    })
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#site.close()])
  }

  #understood(path: string, fields: Fields, answer: Answer): Body {
    const body = bodyFields(answer)
    // Sought only where something is quoted: most answers are accepted.
    const isSafe = (text: string): boolean => {
      const passwords = [...JSON.stringify(fields).matchAll(/password\W+([\w-]+)/g)].map(
        ([, password]) => password,
      )
      const secrets = [this.#token?.credential, ...passwords].filter((secret) => secret !== undefined)
      return !secrets.some((secret) => repeats(text, secret))
    }
    const other = this.#answerOfAnother(answer, isSafe)
    if (other !== undefined) {
      const code = answer.status <= 299 ? undefined : answer.status
      // A page under HTTP 200 may be a gateway's, which says nothing of what was asked.
      const mayBeDone = code === undefined ? true : undefined
      throw new AdministrationError(`${shortOf(path)} answered ${other}`, code, mayBeDone)
    }
    const refused = body.status === 'error' || (body.error !== undefined && body.error !== null)
    if (answer.status <= 299 && !refused && body.success !== false) return body
    const code = codeOf(answer)
    const how = code === undefined ? '' : ` with error code ${code}`
    const words = wordsOf(answer)
    const said = words === '' || !isSafe(words) ? '' : `: ${words}`
    throw new AdministrationError(
      `${shortOf(path)} answered HTTP ${answer.status}${how}${said}`,
      code ?? answer.status,
    )
  }

  /** What another server answered in place of the portal: it says nothing of what was asked. */
  #answerOfAnother(answer: Answer, isSafe: (text: string) => boolean): string | undefined {
    const diagnosis = diagnosisOf(answer, this.siteUrl)
    if (diagnosis === undefined || (diagnosis.elsewhere === true && !isPageForPeople(answer)))
      return undefined
    return isSafe(diagnosis.found)
      ? diagnosis.found
      : diagnosisOf(answer, this.siteUrl, { quotes: false })?.found
  }

  #insist<T>(ask: () => Promise<T>): Promise<T> {
    return patiently(ask, {
      ...{ times: tries, pauseMs: () => pauseMs, signal: this.#signal },
      mayPass: (error) => error instanceof AdministrationError && mayPass(error),
    })
  }

  async #send(path: string, fields: Fields, method: 'GET' | 'POST', asked: Asked): Promise<Answer> {
    const all: FormField[] = [...Object.entries(fields), ['f', 'json']]
    const client = asked.site === true ? this.#site : this.#client
    const send = (credential: string): Promise<Answer> => {
      const request: OutgoingRequest = {
        portal: this.portal,
        path,
        fields: all,
        credential,
        referer: refererOf(this.actor),
        // Read everywhere, also where checks find that a plus is not.
        style: { space: '%20' },
        files: asked.files,
        ...(asked.longestMs === undefined ? {} : { longestMs: asked.longestMs }),
      }
      return method === 'GET' ? client.read(request) : client.send(request)
    }
    try {
      return await patiently(() => this.#withToken(send), {
        times: mostTokens,
        isDone: (answer) => !this.#saysTokenEnded(answer),
      })
    } catch (error) {
      if (error instanceof TransportError)
        throw new AdministrationError(
          `${shortOf(path)}: ${whyUnanswered(error)}`,
          undefined,
          error.sentAt !== undefined && error.fault !== 'throttled',
        )
      throw error
    }
  }

  /** With the token of now; forgets a token that has ended. */
  async #withToken(send: (credential: string) => Promise<Answer>): Promise<Answer> {
    let credential = ''
    const ask = async (): Promise<Answer> => {
      credential = await this.#credential()
      return send(credential)
    }
    const answer = await patiently(ask, {
      isDone: (answer) => codeOf(answer) !== tooFast,
      pauseMs: (attempt) => unaskedWait('throttled', attempt - 1) * outOfStep(),
      withinMs: mostWaitMs,
      signal: this.#signal,
    })
    // Another one may be there already, and this one waited for its place for too long.
    if (this.#saysTokenEnded(answer) && this.#token?.credential === credential)
      this.#token = { credential, renewAt: 0 }
    return answer
  }

  #saysTokenEnded(answer: Answer): boolean {
    return tokenTrouble.includes(codeOf(answer) ?? 0) && this.actor.source !== undefined
  }

  #credential(): Promise<string> | string {
    if (this.#token !== undefined && Date.now() < this.#token.renewAt) return this.#token.credential
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(): Promise<string> {
    const { source } = this.actor
    if (source === undefined) return this.actor.credential
    const instead = this.#token?.credential
    const obtained = await this.#signIns
      .obtain(source, this.portal, this.#configuration, { instead })
      .catch((error) => {
        throw error instanceof CredentialError ? new AdministrationError(error.message, noLogin) : error
      })
    this.#token = { credential: obtained.credential, renewAt: renewalTime(obtained) }
    return obtained.credential
  }
}

/** The last part of a path: ids say nothing to a reader. */
const shortOf = (path: string): string => path.split('/').at(-1) ?? path

/** A time-out names the setting that would help. */
function whyUnanswered({ fault, message }: TransportError): string {
  // The request comes first: in its address no space follows a colon.
  return fault === 'timeout' || fault === 'not-sent'
    ? message.slice(message.indexOf(': ') + 2)
    : `no answer came (${fault})`
}

/** Whether the same request may be answered otherwise a moment later. */
const mayPass = ({ code }: AdministrationError): boolean => code === undefined || code >= 500

function codeOf(answer: Answer): number | undefined {
  const { status, code } = bodyFields(answer)
  if (status !== 'error') return errorCode(answer)
  return typeof code === 'number' ? code : undefined
}

/** What the deployment says in words of why it did not do it, on one line. */
function wordsOf(answer: Answer): string {
  const body = bodyFields(answer)
  const said = textAt(body, 'error', 'message') ?? textAt(body, 'messages', '0') ?? textAt(body, 'message')
  return (said ?? '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, mostSaid)
}

/** Whether the text has so much of the secret that it must not be shown. */
const repeats = (text: string, secret: string): boolean =>
  Array.from({ length: secret.length - telling + 1 }, (_, at) => secret.slice(at, at + telling)).some(
    (part) => text.includes(part),
  )

/** Older releases answer with a form that holds the file. */
async function fileIn({ body, headers }: Answer): Promise<Buffer> {
  const type = String(headers['content-type'])
  if (!/^multipart\/form-data/i.test(type)) return body
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => [])
  const file = [...form.values()].find((part) => typeof part !== 'string')
  return file === undefined ? body : Buffer.from(await file.arrayBuffer())
}
