/** Signs in: a user name and a password become a token. Actors with the same login share it, and a refused login is never sent again. */
import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { PortalName } from '../configuration/actors.ts'
import {
  type Actor,
  baseUrlOf,
  type Configuration,
  type CredentialSource,
  type Login,
} from '../configuration/configuration.ts'
import { credentialProblem } from '../configuration/configuration-rules.ts'
import { Client } from '../http/client.ts'
import { diagnosisOf, inOneLine, newTokenTrouble, wordsOf } from '../http/diagnosis.ts'
import { type Answer, bodyFields, errorCode, errorCodeOf, TransportError } from '../http/exchange.ts'
import type { FormField } from '../http/outgoing-request.ts'
import { growing, patiently } from '../patiently.ts'
import { hidden, secretHider } from '../redaction/hiding.ts'

/** A credential, and when it was obtained and ends if that is known, in milliseconds since 1970. */
export interface Obtained {
  readonly credential: string
  readonly obtainedAt?: number
  readonly expiresAt?: number
}

/** There is no credential to be had. One line that holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  /** What the deployment refused for good: the login, or the token that it had just issued. Absent: a retry may help. */
  readonly refused: 'login' | 'token' | undefined

  constructor(message: string, refused?: 'login' | 'token') {
    super(message)
    this.refused = refused
  }
}

/** A credential, where it is known, and the referer that it is bound to. */
interface Bearer {
  readonly credential: string
  readonly portal: PortalName
  readonly referer: string | undefined
}

const minute = 60_000
/** A new token works everywhere within about three seconds. */
const soonKnown = { times: 6, pauseMs: growing(100, 1500) }
/** The deployment may accept the same login a moment later. */
const passing = [408, 409, 423, 425, 429]

/** The address where that login gets its tokens. */
const tokenUrlOf = ({ url }: Login, portal: PortalName, configuration: Configuration): string =>
  url ?? `${baseUrlOf(configuration, portal)}/generateToken`

/** Sends the login once and waits until the token works. Throws a CredentialError that says why there is none. */
async function logIn(login: Login, portal: PortalName, configuration: Configuration): Promise<Obtained> {
  const url = new URL(tokenUrlOf(login, portal, configuration))
  const client = new Client({
    ...configuration,
    target: { ...configuration.target, baseUrl: url.origin },
    portals: { host: { id: '' } },
  })
  try {
    const { referer } = login
    const path = url.pathname + url.search
    const answer = await client.send({ portal: 'host', path, fields: fieldsOf(login), referer })
    const obtained = tokenIn(answer, url, login.password, baseUrlOf(configuration, portal))
    await untilKnown({ credential: obtained.credential, portal, referer }, configuration)
    return obtained
  } catch (error) {
    if (error instanceof TransportError) throw new CredentialError(`no token could be had: ${error.message}`)
    throw error
  } finally {
    await client.close()
  }
}

/** Some portals know a new token a moment later. Throws a CredentialError if it never works. */
async function untilKnown(bearer: Bearer, configuration: Configuration): Promise<void> {
  const { check } = configuration.authentication
  if (check === undefined) return
  const client = new Client(configuration)
  try {
    const troubleNow = async () => newTokenTrouble(await whoIs(client, bearer, configuration), bearer.referer)
    const trouble = await patiently(troubleNow, { ...soonKnown, isDone: (found) => found === undefined })
    if (trouble !== undefined)
      throw new CredentialError(`its credential does not work: ${check} ${trouble}`, 'token')
  } catch (error) {
    // Another step finds out whether the target answers at all.
    if (!(error instanceof TransportError)) throw error
  } finally {
    await client.close()
  }
}

/** Asks `authentication.check`, which only a valid credential can see. Rejects with a TransportError. */
export function whoIs(client: Client, bearer: Bearer, { authentication }: Configuration): Promise<Answer> {
  return client.read({ ...bearer, path: authentication.check as string, fields: [['f', 'json']] })
}

function fieldsOf({ username, password, referer, expirationMs }: Login): FormField[] {
  return [
    ['username', username],
    ['password', password],
    ['client', referer === undefined ? 'requestip' : 'referer'],
    ...(referer === undefined ? [] : [['referer', referer] as FormField]),
    ['expiration', String(Math.max(1, Math.round(expirationMs / minute)))],
    ['f', 'json'],
  ]
}

function tokenIn(answer: Answer, url: URL, password: string, baseUrl: string): Obtained {
  const { token, expires } = bodyFields(answer)
  const isToken = answer.status >= 200 && answer.status <= 299 && typeof token === 'string' && token !== ''
  if (!isToken) {
    const message = `the login was not accepted: ${whyRefused(answer, url, password, baseUrl)}`
    throw new CredentialError(message, mayPass(answer) ? undefined : 'login')
  }
  return typeof expires === 'number' && expires > 0
    ? { credential: token, obtainedAt: Date.now(), expiresAt: expires }
    : { credential: token }
}

/** The documented details of a refused login, and what to do. */
const refusals: readonly (readonly [details: RegExp, says: string])[] = [
  [
    /too many invalid attempts/i,
    'the account is locked after too many failed logins; wait 15 minutes or have an administrator unlock it (it is not tried again)',
  ],
  [
    /invalid username or password/i,
    'the user name or the password is wrong; correct it, letter case included (it was sent once and is not tried again)',
  ],
]

function mayPass(answer: Answer): boolean {
  const code = errorCodeOf(answer)
  return code >= 500 || passing.includes(code)
}

/** The refusal may repeat the password. */
function whyRefused(answer: Answer, url: URL, password: string, baseUrl: string): string {
  const tokenUrl = url.origin + url.pathname
  const said = JSON.stringify(bodyFields(answer).error ?? '')
  const documented = refusals.find(([details]) => details.test(said))
  if (documented !== undefined) return `${tokenUrl} says that ${documented[1]}`
  const diagnosis = diagnosisOf(answer, baseUrl, { quotes: false })
  if (diagnosis?.elsewhere === true)
    return `${tokenUrl} answered ${diagnosis.found}, so it issues no tokens; check the base URL, and whether the portal has its token service switched off`
  if (diagnosis !== undefined) return `${tokenUrl} ${inOneLine(diagnosis)}`
  const words = wordsOf(answer, secretHider([password], hidden).text)
  const code = errorCode(answer)
  const why = code !== undefined ? ` with error code ${code}` : ' without a token'
  const advice = mayPass(answer)
    ? ''
    : '; signing in with a browser may show more (this login is not tried again)'
  return `${tokenUrl} answered HTTP ${answer.status}${why}${words && `: ${words}`}${advice}`
}

const commandMs = 30_000
const largestCredential = 64 * 1024

/** A credential is renewed this long before its end, in milliseconds, or in the last tenth of its time if that is shorter. */
const marginMs = 60_000

/** When to renew it, in milliseconds since 1970. */
function renewalTime({ obtainedAt = Date.now(), expiresAt }: Omit<Obtained, 'credential'>): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  return expiresAt - Math.min(marginMs, (expiresAt - obtainedAt) / 10)
}

type OnRenewed = (renewed: Obtained, instead: string) => void

/** The credential of one actor. It is obtained anew before its end, and after the target has lost it. */
export class RenewedCredential {
  /** The credential of the last request. */
  current: string
  /** Why the last renewal failed. */
  whyNotRenewed: string | undefined
  #renewAt: number
  #renewing: Promise<string> | undefined
  readonly #renew: () => Promise<string>

  /** `onRenewed` gets each new credential before it is used. */
  constructor(actor: Actor, configuration: Configuration, signIns: SignIns, onRenewed?: OnRenewed) {
    const { source, portal, credential } = actor
    this.current = credential
    this.#renewAt =
      source === undefined ? Number.POSITIVE_INFINITY : credential === '' ? 0 : renewalTime(actor)
    this.#renew = async () => {
      const instead = this.current
      const renewed = await signIns.obtain(source as CredentialSource, portal, configuration, instead)
      onRenewed?.(renewed, instead)
      this.current = renewed.credential
      this.#renewAt = renewalTime(renewed)
      return renewed.credential
    }
  }

  get isLost(): boolean {
    return this.#renewAt === 0
  }

  /** The credential for the next request. Rejects with a CredentialError. */
  next(): string | Promise<string> {
    if (Date.now() < this.#renewAt) return this.current
    this.#renewing ??= this.#renew()
      .then(
        (renewed) => {
          this.whyNotRenewed = undefined
          return renewed
        },
        (error: Error) => {
          this.whyNotRenewed = error.message
          throw error
        },
      )
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }

  /** The target does not know that credential any more. Another request may have got a new one already. */
  lose(credential: string): void {
    if (credential === this.current) this.#renewAt = 0
  }
}

export class SignIns {
  /** Shared, because some portals end a user's older tokens with each new one. */
  readonly #tokens = new Map<string, Obtained>()
  readonly #refused = new Map<string, CredentialError>()
  /** The last sign-in with each login. The next one waits for it. */
  readonly #last = new Map<string, Promise<unknown>>()

  /**
   * Rejects with a CredentialError if there is no credential, or if it cannot be sent. `instead`: one that the portal does
   * not know any more.
   */
  async obtain(
    source: CredentialSource,
    portal: PortalName,
    configuration: Configuration,
    instead?: string,
  ): Promise<Obtained> {
    const obtained =
      'command' in source
        ? { credential: await printedBy(source.command, source.folder) }
        : await this.#inTurn(source.login, portal, configuration, instead)
    const problem = credentialProblem(obtained.credential, configuration.authentication.in)
    if (problem !== undefined) throw new CredentialError(`the credential that came ${problem}`)
    return obtained
  }

  /** A few failures lock an account, so callers with the same login wait for the first one's result. */
  #inTurn(
    login: Login,
    portal: PortalName,
    configuration: Configuration,
    instead?: string,
  ): Promise<Obtained> {
    const { username, password, referer, expirationMs } = login
    const key = JSON.stringify([tokenUrlOf(login, portal, configuration), username, password])
    const terms = JSON.stringify([key, referer, expirationMs])
    const before = this.#last.get(key)
    const asked = (async () => {
      await before?.catch(() => undefined)
      const refusal = this.#refused.get(key)
      if (refusal !== undefined) throw refusal
      const held = this.#tokens.get(terms)
      if (held !== undefined && held.credential !== instead && Date.now() < renewalTime(held)) return held
      try {
        const obtained = await logIn(login, portal, configuration)
        this.#tokens.set(terms, obtained)
        return obtained
      } catch (error) {
        if (error instanceof CredentialError && isFinal(error, held)) this.#refused.set(key, error)
        throw error
      }
    })()
    this.#last.set(key, asked)
    return asked
  }
}

/** If earlier tokens worked, a new one that does not may only be late. */
const isFinal = ({ refused }: CredentialError, earlier: Obtained | undefined): boolean =>
  refused === 'login' || (refused === 'token' && earlier === undefined)

async function printedBy(command: string, folder: string): Promise<string> {
  const options = { cwd: folder, timeout: commandMs, maxBuffer: largestCredential }
  const printing = promisify(exec)(command, options)
  printing.child.stdin?.end()
  try {
    return (await printing).stdout.replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as { code?: unknown }
    const why =
      typeof code === 'number'
        ? `ended with code ${code}`
        : `did not end within ${commandMs / 1000} s, or printed more than ${largestCredential} bytes`
    // The output and the command line may hold a credential.
    throw new CredentialError(`the command that prints its credential ${why}`)
  }
}
