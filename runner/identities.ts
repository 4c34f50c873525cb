/** The credentials of a run's actors: renewed when they end, and redacted in all output. */
import { isStranger } from '../clauses/exchange.ts'
import { type ActorName, ofActors, type PortalName } from '../deployment/configuration/actors.ts'
import type { Actor, Configuration } from '../deployment/configuration/configuration.ts'
import { CredentialKeeper } from '../deployment/credentials/credential-keeper.ts'
import { refererOf } from '../deployment/credentials/ready-actors.ts'
import { CredentialError, type SignIns } from '../deployment/credentials/sign-ins.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { createRedactor, type Redactor } from '../deployment/redaction/redaction.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { credentialLike, type Likeness, unknownLike } from './cases/likenesses.ts'
import type { Identity } from './context/calls.ts'
import { NothingSent, NotTested, Unproven } from './findings.ts'
import type { Fold, RunExchange } from './log/run-log.ts'
import { remembered } from './remembered.ts'
import { subSeed } from './seeds.ts'

export class Identities implements Fold {
  /** Hides every credential known so far. */
  redactor: Redactor
  readonly #configuration: Configuration
  readonly #signIns: SignIns
  readonly #bearerOf: (name: ActorName) => ActorName
  readonly #credentials: CredentialKeeper
  readonly #renewed: string[] = []
  readonly #ended = new Map<ActorName, Promise<string>>()

  /** `bearerOf`: the actor whose credential an actor uses now. */
  constructor(configuration: Configuration, signIns: SignIns, bearerOf: (name: ActorName) => ActorName) {
    this.#configuration = configuration
    this.#signIns = signIns
    this.#bearerOf = bearerOf
    this.redactor = createRedactor(configuration)
    this.#credentials = new CredentialKeeper(configuration, signIns, (credential) => this.#hide(credential))
  }

  /** The current identity of an actor. Rejects with `Unproven` if its credential ended and cannot be renewed. */
  async of(name: ActorName): Promise<Identity> {
    const bearer = this.#bearerOf(name)
    const actor = this.#configuration.actors[bearer] as Actor
    try {
      const credential = await this.#credentials.of(bearer)
      return withoutUndefined({ actor: name, credential, portal: actor.portal, referer: refererOf(actor) })
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error
      throw new NothingSent(couldNotBeRenewed(name, error.message))
    }
  }

  /** A stranger with an expired credential of the actor. Rejects with `NotTested` if there is none. */
  async ended(name: ActorName): Promise<Identity> {
    const { portal, expired } = this.#configuration.actors[name] as Actor
    if (expired === undefined) throw new Error(`no expired credential of ${name} is configured`)
    const credential = await remembered(this.#ended, name, () => this.#endedCredential(name, expired, portal))
    return { actor: 'impostor', credential, portal }
  }

  /** The stranger of that check: with a made-up credential in the form of a real one. */
  impostor(check: string): Identity {
    const { actors, run } = this.#configuration
    const known = actors.hostAdministrator?.credential ?? Object.values(actors)[0]?.credential
    const credential = unknownLike(known ?? 'x'.repeat(40), subSeed(run.seed, `${check}/impostor`))
    return { actor: 'impostor', credential, portal: 'host' }
  }

  /** A stranger whose credential resembles an actor's. Undefined if the credential might still be valid. */
  async resembling(actor: ActorName, likeness: Likeness): Promise<Identity | undefined> {
    const { credential: real = '', portal } = await this.of(actor)
    const credential = credentialLike(real, likeness, await this.#allCredentials())
    if (credential === undefined) return undefined
    // An empty credential is no credential.
    return { actor: credential === '' ? 'anonymous' : 'impostor', credential, portal }
  }

  /** The credentials of all actors, without those that ended and cannot be renewed. */
  async #allCredentials(): Promise<string[]> {
    const names = ofActors(this.#configuration.actors).map(([name]) => name)
    const found = await Promise.allSettled(names.map((name) => this.of(name)))
    return found.flatMap((each) => {
      if (each.status === 'fulfilled') return each.value.credential ?? []
      if (each.reason instanceof Unproven) return []
      throw each.reason
    })
  }

  async #endedCredential(
    name: ActorName,
    { credential, source }: NonNullable<Actor['expired']>,
    portal: PortalName,
  ): Promise<string> {
    if (source === undefined) return credential
    try {
      const obtained = await this.#signIns.obtain(source, portal, this.#configuration)
      this.#hide(obtained.credential)
      return obtained.credential
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error
      throw new NotTested(`no expired credential could be had: ${error.message}`, [`actors.${name}.expired`])
    }
  }

  #hide(credential: string): void {
    this.#renewed.push(credential)
    this.redactor = createRedactor(this.#configuration, this.#renewed)
  }

  /** Whether the answer only says that the request's credential has ended. */
  outlived(answer: Answer, { actor, credential }: Identity): boolean {
    if (isStranger(actor) || credential === undefined) return false
    return this.#credentials.outlived(actor, credential, answer)
  }

  /** Learns from an answer whether a credential has ended. */
  came(exchange: RunExchange): void {
    const { actor, sent } = exchange.asked
    if (actor !== undefined && !isStranger(actor) && sent.credential !== undefined)
      this.#credentials.saw(actor, sent.credential, exchange)
  }

  /** Learns from a page, which is no exchange of the log, whether a credential has ended. */
  sawPage(page: Answer, { actor, credential }: Identity): void {
    if (!isStranger(actor) && credential !== undefined) this.#credentials.saw(actor, credential, page)
  }

  /** Why a refusal proves nothing: the caller's credential had ended. */
  whyEnded(answer: Answer): Unproven | undefined {
    const why = this.#credentials.endedBefore(answer)
    if (why === undefined) return undefined
    const { actor } = answer.request
    const failure = this.#credentials.whyNotRenewed(actor)
    const words =
      failure === undefined
        ? `the credential of ${actor} ended during the run: ${why}`
        : couldNotBeRenewed(actor, failure)
    return new Unproven(words, [answer])
  }
}

const couldNotBeRenewed = (name: string | undefined, why: string): string =>
  `the credential of ${name} ended and could not be renewed: ${why}`
