/** Portals on which a fault shows in some requests only: in one of N, or in one situation. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Served } from '../reference/application.ts'
import { faults } from '../reference/faults/index.ts'
import type { Parts } from '../reference/parts.ts'
import { numbersFrom, subSeed } from '../runner/seeds.ts'

/** A fault, and when it shows: in one of that many requests, or in that situation. */
export interface Sometimes {
  /** An id of the catalogue. */
  readonly fault: string
  readonly when: number | SituationId
}

/** What a portal knows when a request comes. */
interface Moment {
  /** The path of the request, and its connection. */
  readonly path: string
  readonly connection: object
  /** Paths on which a request was accepted. */
  readonly accepted: ReadonlySet<string>
  /** Paths whose last answer was a refusal, and whether the last answer of all was one. */
  readonly refusedThere: ReadonlySet<string>
  readonly lastRefused: boolean
  /** Connections that have carried a request. */
  readonly used: WeakSet<object>
  /** Requests being served now. */
  readonly underWay: number
  /** Operation requests so far. */
  readonly served: number
  /** A number drawn from the seed. */
  readonly draw: () => number
}

interface Situation {
  readonly sentence: string
  readonly holds: (moment: Moment) => boolean
}

const late = 200
const oneIn = 5

/** Situations in which a fault of the catalogue is made to show. */
export const situations = {
  'second-use': {
    sentence: 'Only where the same path was accepted before.',
    holds: ({ path, accepted }) => accepted.has(path),
  },
  'after-refusal-there': {
    sentence: 'Only where the last request of the same path was refused.',
    holds: ({ path, refusedThere }) => refusedThere.has(path),
  },
  'after-refusal': {
    sentence: 'Only where the last request of all was refused.',
    holds: ({ lastRefused }) => lastRefused,
  },
  'after-acceptance': {
    sentence: 'Only where the last request of all was accepted.',
    holds: ({ lastRefused, served }) => served > 0 && !lastRefused,
  },
  'used-connection': {
    sentence: 'Only on a connection that has carried a request before.',
    holds: ({ connection, used }) => used.has(connection),
  },
  'in-company': {
    sentence: 'Only where another request is being served.',
    holds: ({ underWay }) => underWay > 0,
  },
  late: {
    sentence: `Only after ${late} requests.`,
    holds: ({ served }) => served >= late,
  },
  'one-in-five': {
    sentence: `Only one time in ${oneIn}.`,
    holds: ({ draw }) => draw() % oneIn === 0,
  },
} satisfies Readonly<Record<string, Situation>>

export type SituationId = keyof typeof situations

/** Makes a portal show the fault in those requests, drawn from the seed. */
export function intermittent({ fault, when }: Sometimes, seed: number) {
  const { holds }: Pick<Situation, 'holds'> =
    typeof when === 'number' ? { holds: ({ draw }) => draw() % when === 0 } : situations[when]
  const draw = numbersFrom(subSeed(seed, `${fault} ${when}`))
  /** The path being served on each connection. */
  const pathOn = new WeakMap<object, string>()
  const accepted = new Set<string>()
  const refusedThere = new Set<string>()
  const used = new WeakSet<object>()
  /** Connections with a request that is being served. */
  const busy = new Set<Socket>()
  const past = { lastRefused: false, served: 0 }
  return {
    // Without it, requests of this process hardly overlap.
    latencyMs: when === 'in-company' ? 5 : 0,
    alter: (parts: Parts) => faults.find(({ id }) => id === fault)?.alter(parts),
    draw({ url = '', socket }: IncomingMessage) {
      const path = url.split('?')[0] as string
      pathOn.set(socket, path)
      // A client that went away before its request was whole is not served.
      for (const each of busy) if (each.destroyed) busy.delete(each)
      const underWay = busy.size
      busy.add(socket)
      return holds({ ...past, path, connection: socket, accepted, refusedThere, used, underWay, draw })
    },
    watch({ call, answer, arrival: { socket } }: Served) {
      busy.delete(socket)
      used.add(socket)
      if (call === undefined || answer === undefined) return
      past.served += 1
      past.lastRefused = answer.refused !== undefined
      const path = pathOn.get(socket) as string
      if (past.lastRefused) refusedThere.add(path)
      else {
        refusedThere.delete(path)
        accepted.add(path)
      }
    },
  }
}
