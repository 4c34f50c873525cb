/** Who may update a run is open (§5): where the owner of its task is refused and an administrator is not, that one acts in his place. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { Lanes } from '../lanes.ts'

const administrators: readonly ActorName[] = ['hostAdministrator', 'organizationAdministrator']
/** What may not be done at all is refused to everybody: so many requests are asked again as an administrator. */
const mostTries = 3

export class RunUpdater {
  /** Whose credential the owner of a task uses; absent: his own. */
  instead: ActorName | undefined
  readonly #candidates: readonly ActorName[]
  /** The owner was let in, or somebody was found. */
  #known = false
  #tries = 0
  /** One after the other finds out. */
  readonly #turns = new Lanes(1)

  constructor({ actors }: Configuration) {
    this.#candidates = administrators.filter((name) => actors[name] !== undefined)
  }

  /** The answer to the owner of a task, or that to an administrator, by whom `ask` asks for the same. */
  async answered<A extends Answer>(answer: A, ask: (name: ActorName) => Promise<A>): Promise<A> {
    if (isAccepted(answer)) this.#known = true
    if (this.#known) return answer
    return (await this.#turns.run(() => this.#accepted(ask))) ?? answer
  }

  async #accepted<A extends Answer>(ask: (name: ActorName) => Promise<A>): Promise<A | undefined> {
    if (this.#known || this.#tries >= mostTries) return undefined
    this.#tries += 1
    for (const name of this.#candidates) {
      const answer = await ask(name)
      if (!isAccepted(answer)) continue
      // Others may have found out meanwhile that the owner is let in.
      if (!this.#known) this.instead = name
      this.#known = true
      return answer
    }
    return undefined
  }
}
