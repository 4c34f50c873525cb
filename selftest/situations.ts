/** Faults in one situation only: what the suite misses depends more on when a request comes than on its content. */
import type { IncomingMessage } from 'node:http'
import type { Served } from '../reference/application.ts'
import { faults } from '../reference/faults/index.ts'
import type { Parts } from '../reference/parts.ts'
import { subSeed } from '../runner/seeds.ts'
import { randomFrom, shuffled } from './random.ts'

/** What was served before a request. */
interface Past {
  /** The number of accepted requests by path. */
  readonly accepted: ReadonlyMap<string, number>
  /** Paths whose last answer was a refusal, and whether the last answer of all was one. */
  readonly refusedThere: ReadonlySet<string>
  readonly lastRefused: boolean
  /** Requests on each connection. */
  readonly onConnection: WeakMap<object, number>
  /** Requests being served now. */
  readonly underWay: number
  /** Operation requests so far. */
  readonly served: number
}

interface Situation {
  readonly id: string
  readonly sentence: string
  /** How long the portal takes for an answer. Without it, requests of this process hardly overlap. */
  readonly latencyMs?: number
  readonly holds: (path: string, request: IncomingMessage, past: Past, random: () => number) => boolean
}

const late = 200
const oneIn = 5

/** Situations in which a fault of the catalogue is made to show. */
export const situations: readonly Situation[] = [
  {
    id: 'second-use',
    sentence: 'Only where the same path was accepted before.',
    holds: (path, _request, { accepted }) => (accepted.get(path) ?? 0) > 0,
  },
  {
    id: 'after-refusal-there',
    sentence: 'Only where the last request of the same path was refused.',
    holds: (path, _request, { refusedThere }) => refusedThere.has(path),
  },
  {
    id: 'after-refusal',
    sentence: 'Only where the last request of all was refused.',
    holds: (_path, _request, { lastRefused }) => lastRefused,
  },
  {
    id: 'after-acceptance',
    sentence: 'Only where the last request of all was accepted.',
    holds: (_path, _request, { lastRefused, served }) => served > 0 && !lastRefused,
  },
  {
    id: 'used-connection',
    sentence: 'Only on a connection that has carried a request before.',
    holds: (_path, { socket }, { onConnection }) => (onConnection.get(socket) ?? 0) > 0,
  },
  {
    id: 'in-company',
    sentence: 'Only where another request is being served.',
    latencyMs: 5,
    holds: (_path, _request, { underWay }) => underWay > 0,
  },
  {
    id: 'late',
    sentence: `Only after ${late} requests.`,
    holds: (_path, _request, { served }) => served >= late,
  },
  {
    id: 'one-in-five',
    sentence: `Only one time in ${oneIn}.`,
    holds: (_path, _request, _past, random) => random() * oneIn < 1,
  },
]

/** The end of a run that did not find the fault. */
export const ends = { open: 'left open', missed: 'missed' } as const

export interface SituatedFault {
  readonly fault: string
  readonly situation: string
}

/** Faults that already show in their own situation only, or need several requests. */
const ofTheirOwn =
  /overlap|scheduled|lock|leaves|later|once|every-(?:sixth|fifth|hundredth)|on-cold|field-missing|^second-|^third-try|replayed|rights-(?:kept|from|linger)|comes?-back|survives|^deleted-|^deletion-|of-the-(?:deleted|refused)|id-from-|ids-(?:from|count)|mixed-up|former|^long-syn|constant|-time-zone$|^first-workspace|keeps-its-caller|drops-participant$|of-others-refused|simultaneous|(?:^|-)signature-/

interface Impossible {
  readonly situation: string
  readonly faults: RegExp
  readonly why: string
}

/** Combinations in which a fault shows in no request, or in none that the contract lets us judge. */
export const impossible: readonly Impossible[] = [
  {
    situation: 'second-use',
    faults:
      /-taken-for-|^(?:unknown-(?:workspace|run|task|participant|federation)|workspace-in-unknown|sync-in-unknown|participant-of-unknown|run-under|task-under|workspace-of-other|unknown-user-overlooked|runs-under-any)|(?:user-name|(?:collaboration|task|run|workspace|participant-portal|federation)-id)-(?:(?:start|middle|end)-not-compared|may-go-on)$/,
    why: 'the path names something that does not exist or does not belong together, and was not accepted before',
  },
  {
    situation: 'second-use',
    faults: /-under-guest-path$/,
    why: 'no request was accepted on that path before',
  },
  {
    situation: 'second-use',
    faults: /(?:^|-)(?:deletes?|deleted)(?:-|$)/,
    why: 'a delete was accepted before, so that nothing is left to delete',
  },
  {
    situation: 'second-use',
    faults: /^(?:run-result|run-empty|results-|skipped-run)/,
    why: 'it is open whether a run takes a second update',
  },
]

const canShow = ({ fault, situation }: SituatedFault): boolean =>
  !impossible.some((each) => each.situation === situation && each.faults.test(fault))

/** That many combinations of a fault and a situation, drawn from the seed. */
export function situatedFaults(seed: number, count: number): SituatedFault[] {
  const all = faults
    .filter(({ id, breaks }) => breaks.length > 0 && !ofTheirOwn.test(id))
    .flatMap(({ id }) => situations.map((situation) => ({ fault: id, situation: situation.id })))
    .filter(canShow)
  return shuffled(all, randomFrom(subSeed(seed, 'situations'))).slice(0, count)
}

/** Makes a portal show a fault in one situation only. */
export class Situated {
  /** Requests in which the situation held. */
  looks = 0
  readonly #fault: string
  readonly #situation: Situation
  readonly #random: () => number
  readonly #accepted = new Map<string, number>()
  readonly #refusedThere = new Set<string>()
  /** The path being served on each connection. */
  readonly #pathOn = new WeakMap<object, string>()
  readonly #onConnection = new WeakMap<object, number>()
  #lastRefused = false
  #underWay = 0
  #served = 0

  constructor({ fault, situation }: SituatedFault, seed: number) {
    const known = situations.find(({ id }) => id === situation)
    if (known === undefined) throw new Error(`There is no situation "${situation}".`)
    this.#fault = fault
    this.#situation = known
    this.#random = randomFrom(subSeed(seed, `${fault} ${situation}`))
  }

  get latencyMs(): number {
    return this.#situation.latencyMs ?? 0
  }

  readonly alter = (parts: Parts): void => faults.find(({ id }) => id === this.#fault)?.alter(parts)

  readonly draw = (request: IncomingMessage): boolean => {
    const path = (request.url ?? '').split('?')[0] as string
    this.#pathOn.set(request.socket, path)
    const holds = this.#situation.holds(
      path,
      request,
      {
        accepted: this.#accepted,
        refusedThere: this.#refusedThere,
        lastRefused: this.#lastRefused,
        onConnection: this.#onConnection,
        underWay: this.#underWay,
        served: this.#served,
      },
      this.#random,
    )
    this.#underWay += 1
    if (holds) this.looks += 1
    return holds
  }

  readonly watch = ({ call, answer, arrival }: Served): void => {
    this.#underWay = Math.max(0, this.#underWay - 1)
    this.#onConnection.set(arrival.socket, (this.#onConnection.get(arrival.socket) ?? 0) + 1)
    if (call === undefined || answer === undefined) return
    this.#served += 1
    this.#lastRefused = answer.refused !== undefined
    const path = this.#pathOn.get(arrival.socket) as string
    if (this.#lastRefused) this.#refusedThere.add(path)
    else {
      this.#refusedThere.delete(path)
      this.#accepted.set(path, (this.#accepted.get(path) ?? 0) + 1)
    }
  }
}
