/** The sign-ins of one command. Actors with the same login share a token, and a refused login is never sent again. */
import { exec } from 'node:child_process'
import type { PortalName } from '../configuration/actors.ts'
import type { Configuration, CredentialSource, Login } from '../configuration/configuration.ts'
import { credentialProblem } from '../configuration/configuration-rules.ts'
import { CredentialError, logIn, type Obtained, tokenUrlOf } from './log-in.ts'

const commandMs = 30_000
const largestCredential = 64 * 1024

/** A credential is renewed this long before its end, in milliseconds, or in the last tenth of its time if that is shorter. */
const marginMs = 60_000

/** When to renew it, in milliseconds since 1970. */
export function renewalTime({ obtainedAt = Date.now(), expiresAt }: Omit<Obtained, 'credential'>): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  return expiresAt - Math.min(marginMs, (expiresAt - obtainedAt) / 10)
}

interface Wanted {
  /** A credential that the portal does not know any more. */
  readonly instead?: string | undefined
}

export class SignIns {
  /** Shared, because some portals end a user's older tokens with each new one. */
  readonly #tokens = new Map<string, Obtained>()
  readonly #refused = new Map<string, CredentialError>()
  /** The last sign-in with each login. The next one waits for it. */
  readonly #last = new Map<string, Promise<unknown>>()

  /** Rejects with a CredentialError if there is no credential, or if it cannot be sent. */
  async obtain(
    source: CredentialSource,
    portal: PortalName,
    configuration: Configuration,
    wanted: Wanted = {},
  ): Promise<Obtained> {
    const obtained =
      'command' in source
        ? { credential: await printedBy(source.command, source.folder) }
        : await this.#inTurn(source.login, portal, configuration, wanted)
    const problem = credentialProblem(obtained.credential, configuration.authentication.in)
    if (problem !== undefined) throw new CredentialError(`the credential that came ${problem}`)
    return obtained
  }

  /** A few failures lock an account, so callers with the same login wait for the first one's result. */
  #inTurn(login: Login, portal: PortalName, configuration: Configuration, wanted: Wanted): Promise<Obtained> {
    const { username, password, referer, expirationMs } = login
    const key = JSON.stringify([tokenUrlOf(login, portal, configuration), username, password])
    const terms = JSON.stringify([key, referer, expirationMs])
    const before = this.#last.get(key)
    const asked = (async () => {
      await before?.catch(() => undefined)
      const refusal = this.#refused.get(key)
      if (refusal !== undefined) throw refusal
      const held = this.#tokens.get(terms)
      if (held !== undefined && held.credential !== wanted.instead && Date.now() < renewalTime(held))
        return held
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

function printedBy(command: string, folder: string): Promise<string> {
  return new Promise((done, failed) => {
    const options = { cwd: folder, timeout: commandMs, maxBuffer: largestCredential }
    const child = exec(command, options, (error, stdout) => {
      if (error === null) return done(stdout.replace(/\r?\n$/, ''))
      const why =
        typeof error.code === 'number'
          ? `ended with code ${error.code}`
          : `did not end within ${commandMs / 1000} s, or printed more than ${largestCredential} bytes`
      // The output and the command line may hold a credential.
      failed(new CredentialError(`the command that prints its credential ${why}`))
    })
    child.stdin?.end()
  })
}
