/** Who may update a run is open (§5): where the owner of its task is refused and an administrator is not, that one acts in his place. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { vainOften } from '../effort.ts'
import { Lanes } from '../lanes.ts'
import type { Acceptances } from '../log/acceptances.ts'

const administrators: readonly ActorName[] = ['hostAdministrator', 'organizationAdministrator']

export class RunUpdater {
  /** Whose credential the owner of a task uses; absent: his own. */
  instead: ActorName | undefined
  readonly #candidates: readonly ActorName[]
  #tries = 0
  /** One after the other finds out. */
  readonly #turns = new Lanes(1)

  constructor({ actors }: Pick<Configuration, 'actors'>) {
    this.#candidates = administrators.filter((name) => actors[name] !== undefined)
  }

  /**
   * The answer to an administrator who is let in, by whom `ask` asks for what the owner was refused; undefined where there is
   * none, where one was found before, and where the owner himself was let in.
   */
  find<A extends Answer>(
    acceptances: Pick<Acceptances, 'of'>,
    ask: (name: ActorName) => Promise<A>,
  ): Promise<A | undefined> {
    const isKnown = () => acceptances.of('taskOwner').includes('update-task-run')
    return this.#turns.run(async () => {
      // What may not be done at all is refused to everybody.
      if (isKnown() || this.#tries >= vainOften) return undefined
      this.#tries += 1
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
