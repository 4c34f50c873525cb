/** Hands out the credentials of actors during a run, and renews those that end. */
import { type ActorName, ofActors } from '../configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import { type Answer, bodyFields, errorCode, tokenCodes } from '../http/exchange.ts'
import { CredentialError, type Obtained, RenewedCredential, type SignIns } from './sign-ins.ts'

/** Statuses and error codes of a target that does not know the credential, or not any more. */
const notKnown = [401, ...tokenCodes]

/** Whether a status or error code says that the target does not know the credential. */
export const saysUnknown = (code: number): boolean => notKnown.includes(code)

/** After this many in a row for requests that were accepted before, it has ended: some targets use the code for every refusal. */
const refusalsUntilEnded = 60
/** How many paths with an accepted request are kept for each actor, and how many credentials of all actors. */
const mostKept = 500
/** How often in a row a credential is renewed after refusals: if new ones are refused as well, there is another reason. */
const mostRenewals = 3

/** What the answers said about an actor's credential. */
interface Seen {
  /** Paths and operations with an accepted request. */
  readonly worked: Set<string>
  refusedInARow: number
  /** The code of the last refusal. */
  lastCode?: string
  /** When a request that was accepted before was first refused for the credential, in ms of `performance.now()`. */
  unknownAt?: number | undefined
  /** The credential was accepted after that, so the target refuses in this way for other reasons, too. */
  saidOfAnything?: true
  /** How many in a row, until what was refused gets another answer. */
  renewals: number
  /** The path of the request that was last refused for its token before a renewal. */
  renewedFor?: string | undefined
  /** Why the credential is not used any more. */
  ended?: string
}

export class CredentialKeeper {
  readonly #configuration: Configuration
  readonly #credentials = new Map<string, RenewedCredential>()
  readonly #seen = new Map<string, Seen>()
  /** The last credentials that were replaced by newer ones. */
  readonly #replaced = new Set<string>()
  /** When credentials end, if they say so, in milliseconds since 1970. */
  readonly #ends = new Map<string, number>()

  /** `onRenewal` gets each new credential before it is used, so that it can be hidden. */
  constructor(configuration: Configuration, signIns: SignIns, onRenewal: (credential: string) => void) {
    this.#configuration = configuration
    for (const [name, actor] of ofActors(configuration.actors)) {
      const own = new RenewedCredential(actor, configuration, signIns, (renewed, instead) => {
        if (renewed.credential !== instead) note(this.#replaced, instead)
        onRenewal(renewed.credential)
        this.#noteEnd(renewed)
      })
      this.#credentials.set(name, own)
      this.#noteEnd(actor)
    }
  }

  /** The credential of that actor, renewed if it has ended. Rejects with a CredentialError. */
  of(name: ActorName): string | Promise<string> {
    const own = this.#credentials.get(name)
    if (own === undefined) throw new Error(`${name} has no credential`)
    const ended = this.#seen.get(name)?.ended
    return ended === undefined ? own.next() : Promise.reject(new CredentialError(ended))
  }

  /**
   * Notes an answer to that actor and credential. A credential that the target does not know any more is renewed before
   * its next use. If that fails and the target accepted the request before, the credential is not used again.
   */
  saw(name: ActorName, credential: string, answer: Answer): void {
    const own = this.#credentials.get(name)
    if (credential !== own?.current || answer.isLarge) return
    // Other portals never know it.
    const { portal = 'host' } = this.#configuration.actors[name] ?? {}
    if (!answer.request.url.startsWith(baseUrlOf(this.#configuration, portal))) return
    const seen: Seen = this.#seen.get(name) ?? { worked: new Set(), refusedInARow: 0, renewals: 0 }
    this.#seen.set(name, seen)
    const code = codeOf(answer)
    const { url, about } = answer.request
    const [path = ''] = url.split('?')
    const operation = about ?? path
    if (code === undefined) {
      seen.refusedInARow = 0
      // The new credential made a difference, so the last one had ended.
      if (seen.renewedFor === path && seen.renewals < mostRenewals) seen.renewals = 0
      if (bodyFields(answer).success !== true) return
      if (seen.unknownAt !== undefined && answer.sentAt > seen.unknownAt) seen.saidOfAnything = true
      for (const where of [path, operation]) note(seen.worked, where)
      return
    }
    // The refusal may be about a sync that still runs.
    if (answer.request.sync?.busyUntil !== undefined) return
    // A code about tokens says more than a 401, which some targets use for every refusal.
    const explicit = code !== '401' && seen.saidOfAnything !== true
    const { source } = this.#configuration.actors[name] ?? {}
    // Several requests may have been on their way with it.
    if (own.isLost) return
    const renewable = source !== undefined && seen.renewals < mostRenewals
    if (!seen.worked.has(explicit ? operation : path) && !(explicit && renewable)) return
    seen.refusedInARow += 1
    seen.lastCode = code
    seen.unknownAt ??= answer.answeredAt
    // A new credential costs one login and shows at once whether that was the reason.
    if (!renewable && seen.refusedInARow < refusalsUntilEnded) return
    seen.refusedInARow = 0
    if (renewable) {
      seen.renewals += 1
      // Only a request that was refused for its token is sent again.
      seen.renewedFor = explicit ? path : undefined
      seen.unknownAt = undefined
      own.lose(credential)
    } else if (source !== undefined)
      seen.ended = `${unknownNow(code)}, although it was renewed ${mostRenewals} times in a row`
    else
      seen.ended = `${unknownNow(code)}; one that lasts as long as the run, or a source that renews it, is needed`
  }

  /** Whether the answer only says that the credential had ended when it arrived, or that the target has lost it. */
  outlived(name: ActorName, credential: string, answer: Answer): boolean {
    const code = codeOf(answer)
    if (code === undefined) return false
    const end = this.#ends.get(credential)
    if (end !== undefined && Date.now() >= end) return true
    const own = this.#credentials.get(name)
    const lost = this.#replaced.has(credential) || (own?.current === credential && own.isLost)
    return lost && code !== '401'
  }

  /** Why the credential could not be renewed. Undefined: it could, or was not lost. */
  whyNotRenewed(name: ActorName | string | undefined): string | undefined {
    return this.#credentials.get(name ?? '')?.whyNotRenewed
  }

  #noteEnd({ credential, expiresAt }: Obtained): void {
    if (expiresAt !== undefined) this.#ends.set(credential, expiresAt)
  }

  /** Why the answer only says that the credential has ended. Undefined: it says more. */
  endedBefore(answer: Answer): string | undefined {
    const { actor: name } = answer.request
    const code = codeOf(answer)
    if (name === undefined || code === undefined) return undefined
    const seen = this.#seen.get(name)
    if (seen?.ended !== undefined) return seen.ended
    if (this.#credentials.get(name)?.isLost) return 'it has ended, and is renewed'
    const saysSo = code !== '401' && seen?.lastCode === code && seen.refusedInARow > 0
    return saysSo && seen.saidOfAnything !== true ? unknownNow(code) : undefined
  }
}

const unknownNow = (code: string): string =>
  `the target does not know it any more (${code}) for what it accepted before`

/** Adds a value and keeps only the last ones. */
function note(kept: Set<string>, text: string): void {
  kept.delete(text)
  kept.add(text)
  if (kept.size > mostKept) kept.delete(kept.values().next().value as string)
}

/** The status or error code if it says that the credential is not known. Undefined: it says something else. */
function codeOf(answer: Answer): string | undefined {
  const code = errorCode(answer)
  const found = notKnown.find((each) => each === answer.status || each === code)
  return found === undefined ? undefined : String(found)
}
