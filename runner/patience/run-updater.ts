/**
 * Who may update a run is open (§5). If the owner of its task is refused and an administrator is accepted, the
 * administrator acts for the owner.
 */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { Lanes } from '../lanes.ts'
import type { Acceptances } from '../log/acceptances.ts'

const administrators: readonly ActorName[] = ['hostAdministrator', 'organizationAdministrator']

export class RunUpdater {
  /** The actor whose credential the owner uses. Undefined: its own. */
  instead: ActorName | undefined
  readonly #candidates: readonly ActorName[]
  #attempts = 0
  /** One request at a time tries this out. */
  readonly #turns = new Lanes(1)

  constructor({ actors }: Pick<Configuration, 'actors'>) {
    this.#candidates = administrators.filter((name) => actors[name] !== undefined)
  }

  /**
   * Tries the refused update as each administrator and returns the first accepted answer. Undefined if there is none,
   * or if the owner or an administrator was accepted before.
   */
  find<A extends Answer>(
    acceptances: Pick<Acceptances, 'of'>,
    ask: (name: ActorName) => Promise<A>,
  ): Promise<A | undefined> {
    const isKnown = () => acceptances.of('taskOwner').includes('update-task-run')
    return this.#turns.run(async () => {
      // An update that is never allowed is refused to all, so a few tries suffice.
      if (isKnown() || this.#attempts >= attemptsWithoutSuccess) return undefined
      this.#attempts += 1
      for (const name of this.#candidates) {
        const answer = await ask(name)
        if (!isAccepted(answer)) continue
        this.instead ??= name
        return answer
      }
      return undefined
    })
  }
}
