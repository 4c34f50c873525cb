/** Hands out the credentials of actors during a run, and renews those that end. */
import type { Actor, ActorName, Configuration } from '../configuration/configuration.ts'
import { obtainCredential } from './obtain-credential.ts'
import type { Obtained } from './obtained.ts'

/** A credential is renewed when less than this is left of it, in milliseconds, or a tenth of its time if that is less. */
const marginMs = 60_000

export class CredentialKeeper {
  readonly #configuration: Configuration
  readonly #onRenewal: (credential: string) => void
  readonly #current = new Map<ActorName, Obtained & { readonly renewAt: number }>()
  readonly #renewing = new Map<ActorName, Promise<string>>()

  /** `onRenewal` is told each new credential before it is used, so that it can be hidden. */
  constructor(configuration: Configuration, onRenewal: (credential: string) => void) {
    this.#configuration = configuration
    this.#onRenewal = onRenewal
    for (const [name, actor] of Object.entries(configuration.actors) as [ActorName, Actor][]) {
      this.#current.set(name, { credential: actor.credential, renewAt: renewalTime(actor) })
    }
  }

  /** The credential of that actor: at once where it holds, or when it is renewed. Rejects with a CredentialError. */
  of(name: ActorName): string | Promise<string> {
    const current = this.#current.get(name)
    if (current === undefined) throw new Error(`${name} has no credential`)
    if (Date.now() < current.renewAt) return current.credential
    const renewing = this.#renewing.get(name) ?? this.#renew(name)
    this.#renewing.set(name, renewing)
    return renewing
  }

  async #renew(name: ActorName): Promise<string> {
    const { source, portal } = this.#configuration.actors[name] as Required<Actor>
    try {
      const renewed = await obtainCredential(source, portal, this.#configuration)
      this.#onRenewal(renewed.credential)
      this.#current.set(name, { ...renewed, renewAt: renewalTime({ source, ...renewed }) })
      return renewed.credential
    } finally {
      this.#renewing.delete(name)
    }
  }
}

function renewalTime({ source, expiresAt }: Pick<Actor, 'source' | 'expiresAt'>): number {
  if (source === undefined || expiresAt === undefined) return Number.POSITIVE_INFINITY
  const left = expiresAt - Date.now()
  return expiresAt - Math.min(marginMs, left / 10)
}
