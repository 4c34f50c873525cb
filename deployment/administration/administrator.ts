/** A user of a portal who reads pages and performs administrative operations. Signs in again when the token ends. */
import type { PortalName } from '../configuration/actors.ts'
import { type Actor, baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import { refererOf } from '../credentials/ready-actors.ts'
import { CredentialError, RenewedCredential, type SignIns } from '../credentials/sign-ins.ts'
import { Client } from '../http/client.ts'
import { diagnosisOf, isPageForPeople, wordsOf } from '../http/diagnosis.ts'
import { type Answer, bodyFields, errorCode, TransportError, tokenCodes } from '../http/exchange.ts'
import type { FormFile, OutgoingRequest } from '../http/outgoing-request.ts'
import { growing, patiently } from '../patiently.ts'
import { hidden, secretHider } from '../redaction/hiding.ts'
import {
  AdministrationError,
  ifHidden,
  notSent,
  refusalOf,
  SilentPortalError,
  UnansweredError,
} from './refusals.ts'

export type Body = Readonly<Record<string, unknown>>

export type Fields = Readonly<Record<string, string>>

/** What a request needs beside its path and fields. */
interface Options {
  readonly files?: readonly FormFile[]
  /** The path is beside the base URL, not below it. */
  readonly site?: true
  /** The longest time for the answer, if that is longer than for others, in milliseconds. */
  readonly longestMs?: number
  /** The deployment may perform it twice without harm. */
  readonly repeatable?: boolean
}

/** A token may end again while a request waits for its turn. */
const tokensPerRequest = 3
/** A page of a list holds at most this many; this many pages are read. */
const pageSize = 100
const mostPages = 500
/** Gateways give up now and then. */
const [gatewayTries, gatewayPauseMs] = [3, 150]
/** After this many requests in a row without an answer, the portal is asked who it is. */
const mostUnanswered = 5
/** It may be restarting, so it is asked several times. If it does not say, nothing is sent for a while. */
const toHear = { times: 4, pauseMs: growing(200, 800) }
const silenceMs = 10_000

/** A path below another one. Its parts may hold any character. */
export const below = (path: string, ...parts: readonly unknown[]): string =>
  [path, ...parts.map((part) => encodeURIComponent(String(part)))].join('/')

export class Administrator {
  readonly actor: Actor
  /** The address of the portal for this suite, without the path of its API. */
  readonly siteUrl: string
  /** The path of the API below it. */
  readonly #apiPath: string
  readonly #configuration: Configuration
  readonly #client: Client
  readonly #signal: AbortSignal | undefined
  readonly #token: RenewedCredential
  /** How many requests in a row were not answered. */
  #unanswered = 0
  /** Why the login did not work. */
  #loginTrouble: string | undefined
  /** Nothing is sent until then, in ms of `performance.now()`. */
  #silentUntil = 0
  #hearing: Promise<void> | undefined

  /** An aborted signal ends everything. */
  constructor(configuration: Configuration, actor: Actor, signIns: SignIns, signal?: AbortSignal) {
    this.actor = actor
    this.#configuration = configuration
    this.#signal = signal
    const baseUrl = baseUrlOf(configuration, actor.portal)
    this.siteUrl = baseUrl.replace(/\/sharing\/rest$/i, '')
    this.#apiPath = baseUrl.slice(this.siteUrl.length)
    const portals = { ...configuration.portals, [actor.portal]: { id: '', baseUrl: this.siteUrl } }
    this.#client = new Client({ ...configuration, portals }, { signal })
    this.#token = new RenewedCredential(actor, configuration, signIns)
  }

  get portal(): PortalName {
    return this.actor.portal
  }

  /** The address of the portal for other portals: what it says about itself, or else `siteUrl`. */
  get ownUrl(): string {
    return this.#configuration.portals[this.portal]?.ownUrl ?? this.siteUrl
  }

  /** Reads a page. Rejects with an AdministrationError. */
  read(path: string, fields: Fields = {}, options: Options = {}): Promise<Body> {
    const readOnce = async () =>
      this.#understood(path, fields, await this.#send('GET', path, fields, options))
    return this.#insist(() => this.#unlessSilent(readOnce))
  }

  /**
   * Whether the portal has that user. A refusal may also hide a user, so it counts only if the caller is still an
   * administrator and sees the caller's own page. Rejects with an AdministrationError if the deployment does not say.
   */
  hasUser(name: unknown): Promise<boolean> {
    const isShown = (username: unknown) => this.read(below('/community/users', username)).then(() => true)
    return ifHidden(isShown(name), async (refusal) => {
      const { role, username } = await this.read('/community/self')
      if (role !== 'org_admin') throw refusal
      return !(await isShown(username))
    })
  }

  /** Every entry of a list, page by page. */
  async readAll(path: string, name: string): Promise<Body[]> {
    const found: Body[] = []
    for (let start = 1, page = 0; page < mostPages; page++) {
      const body = await this.read(path, { start: String(start), num: String(pageSize) })
      if (Array.isArray(body[name])) found.push(...(body[name] as Body[]))
      const next = Number(body.nextStart ?? -1)
      if (!(next > start)) break
      start = next
    }
    return found
  }

  /** Performs an operation once. Rejects with an AdministrationError if the deployment did not perform it, or perhaps not. */
  perform(path: string, fields: Fields = {}, options: Options = {}): Promise<Body> {
    return this.#unlessSilent(async () =>
      this.#understood(path, fields, await this.#send('POST', path, fields, options)),
    )
  }

  /** Whether the deployment performed it. False if no answer came. */
  async does(path: string, fields: Fields = {}): Promise<boolean> {
    return (await refusalOf(this.perform(path, fields))) === undefined
  }

  /** Performs an operation that may be performed twice, and retries it if a gateway gave up. */
  performAgain(path: string, fields: Fields = {}, options: Options = {}): Promise<Body> {
    return this.#insist(() => this.perform(path, fields, { ...options, repeatable: true }))
  }

  /** The bytes of the file that an operation answers with. */
  fetchFile(path: string, fields: Fields = {}, options: Options = {}): Promise<Buffer> {
    const fetchOnce = async () => {
      const answer = await this.#send('POST', path, fields, { ...options, repeatable: true })
      const noFile = 'error' in bodyFields(answer) || isPageForPeople(answer)
      if (answer.status > 299 || noFile) this.#understood(path, fields, answer)
      return fileIn(answer)
    }
    return this.#insist(() => this.#unlessSilent(fetchOnce))
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#client.close()
  }

  /** Counts requests in a row without an answer. Sends nothing to a portal that answers nothing more. */
  async #unlessSilent<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#unanswered >= mostUnanswered) await this.#hear()
    try {
      const said = await ask()
      this.#unanswered = 0
      return said
    } catch (error) {
      if (error instanceof AdministrationError)
        this.#unanswered = error instanceof UnansweredError ? this.#unanswered + 1 : 0
      throw error
    }
  }

  /** Rejects if the portal does not say who it is: something in front of it answers everything, or nothing does. */
  async #hear(): Promise<void> {
    if (performance.now() >= this.#silentUntil) {
      this.#hearing ??= this.#askWho().finally(() => {
        this.#hearing = undefined
      })
      await this.#hearing
    }
    if (this.#unanswered >= mostUnanswered) {
      const silence = `the ${this.portal} portal answered nothing more before`
      throw new SilentPortalError(this.#loginTrouble ?? silence)
    }
  }

  async #askWho(): Promise<void> {
    const path = '/portals/self'
    const ask = async () => this.#understood(path, {}, await this.#send('GET', path, {}, {}))
    const asked = patiently(ask, {
      ...toHear,
      signal: this.#signal,
      mayPass: (error) => error instanceof AdministrationError && error.code !== notSent,
    })
    // A portal may refuse with pages of its own: then it still answers others.
    if ((await refusalOf(asked)) === undefined) this.#unanswered = 0
    else this.#silentUntil = performance.now() + silenceMs
  }

  #understood(path: string, fields: Fields, answer: Answer): Body {
    const body = bodyFields(answer)
    const other = diagnosisOf(answer, this.siteUrl)
    if (other !== undefined && (other.elsewhere !== true || isPageForPeople(answer))) {
      const code = answer.status <= 299 ? undefined : answer.status
      // A gateway may have sent the page, so the request may have been performed.
      const mayBeDone = code === undefined ? true : undefined
      const found = this.#withoutSecrets(other.found, fields)
      throw new UnansweredError(`${shortOf(path)} answered ${found}`, code, mayBeDone)
    }
    const refused = body.status === 'error' || (body.error !== undefined && body.error !== null)
    if (answer.status <= 299 && !refused && body.success !== false) return body
    const code = codeOf(answer)
    const how = code === undefined ? '' : ` with error code ${code}`
    const words = wordsOf(answer, (text) => this.#withoutSecrets(text, fields))
    throw new AdministrationError(
      `${shortOf(path)} answered HTTP ${answer.status}${how}${words === '' ? '' : `: ${words}`}`,
      code ?? answer.status,
      // Above 500 a gateway may have answered, and an earlier attempt may have been performed.
      answer.status > 500 || answer.repeatedAfter !== undefined ? true : undefined,
    )
  }

  /** The configuration does not know the passwords of new users, so they are hidden here. */
  #withoutSecrets(words: string, fields: Fields): string {
    const passwords = JSON.stringify(fields).matchAll(/password\W+([\w-]+)/g)
    const secrets = [this.#token.current, ...[...passwords].map(([, password = '']) => password)]
    return secretHider(secrets, hidden).text(words)
  }

  #insist<T>(ask: () => Promise<T>): Promise<T> {
    return patiently(ask, {
      times: gatewayTries,
      pauseMs: () => gatewayPauseMs,
      signal: this.#signal,
      mayPass: (error) => error instanceof AdministrationError && (error.code ?? 500) >= 500,
    })
  }

  async #send(method: 'GET' | 'POST', path: string, fields: Fields, options: Options): Promise<Answer> {
    const { site, longestMs, files, repeatable } = options
    const request: OutgoingRequest = {
      portal: this.portal,
      path: site === true ? path : this.#apiPath + path,
      fields: [...Object.entries(fields), ['f', 'json']],
      referer: refererOf(this.actor),
      // Every deployment reads %20 as a space. Whether it reads a plus so is judged elsewhere.
      style: { space: '%20' },
      files,
      unrepeatable: method === 'POST' && repeatable !== true,
      ...(longestMs === undefined ? {} : { longestMs }),
    }
    const withToken = async () => {
      const credential = await this.#credential()
      const signed = { ...request, credential }
      const answer = await (method === 'GET' ? this.#client.read(signed) : this.#client.send(signed))
      if (this.#saysTokenEnded(answer)) this.#token.lose(credential)
      return answer
    }
    try {
      return await patiently(withToken, {
        times: tokensPerRequest,
        isDone: (answer) => !this.#saysTokenEnded(answer),
      })
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      const mayBeDone = error.sentAt !== undefined && error.fault !== 'throttled'
      // The message begins with the request and a colon.
      const why = error.message.slice(error.message.indexOf(': ') + 2)
      throw new UnansweredError(`${shortOf(path)}: ${why}`, undefined, mayBeDone)
    }
  }

  #saysTokenEnded(answer: Answer): boolean {
    return tokenCodes.includes(codeOf(answer)) && this.actor.source !== undefined
  }

  async #credential(): Promise<string> {
    try {
      const token = await this.#token.next()
      this.#loginTrouble = undefined
      return token
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error
      this.#loginTrouble = error.message
      throw new UnansweredError(error.message, notSent)
    }
  }
}

/** The last part of a path. Readers learn nothing from the ids. */
export const shortOf = (path: string): string => path.split('/').at(-1) || 'the base URL'

function codeOf(answer: Answer): number | undefined {
  const { status, code } = bodyFields(answer)
  if (status !== 'error') return errorCode(answer)
  return typeof code === 'number' ? code : undefined
}

/** Older releases send the file in a multipart form. */
async function fileIn({ body, headers }: Answer): Promise<Buffer> {
  const type = String(headers['content-type'])
  if (!/^multipart\/form-data/i.test(type)) return body
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => [])
  const file = [...form.values()].find((part) => typeof part !== 'string')
  return file === undefined ? body : Buffer.from(await file.arrayBuffer())
}
