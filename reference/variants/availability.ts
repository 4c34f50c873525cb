/** Portals that are not always there: gateways, limits of rate, outages, firewalls and connections that end. */
import type { Socket } from 'node:net'
import { admitBefore, changeRendered, withHeaders, wrapping } from '../alterations.ts'
import type { Alter, Arrival, Rendered } from '../parts.ts'
import { asPage } from '../rendering.ts'
import { variantsOf } from './variant.ts'

const gatewayPage = (status: number, headers: Rendered['headers'] = {}): Rendered =>
  withHeaders(asPage(status, 'Gateway', { status }), headers)

/** Ends the connection without an answer. */
function drop({ socket }: Arrival): Rendered {
  socket.destroy()
  return { status: 503, headers: {}, body: Buffer.alloc(0) }
}

/** From a request on, every request for a second comes to nothing. */
const outage =
  (instead: (arrival: Arrival) => Rendered): Alter =>
  (parts) => {
    let requests = 0
    let until = 0
    admitBefore((arrival) => {
      if (++requests === outageAt) until = performance.now() + 1000
      return performance.now() < until ? instead(arrival) : undefined
    })(parts)
  }

/** In the midst of a run. */
const outageAt = 150
/** Of each of so many requests one is answered by the gateway alone. */
const gatewayEvery = 45
const mostPerSecond = 150
const mostWrongCredentials = 20
const idleMs = 25

/** What does not get through may leave anything open. */
const anything = ['**']
/** A request that met a gateway time and again, or that may have been done before it was repeated. */
const putOff = /not available \(HTTP 50[234]\)|sent again after HTTP 50[234]/

export const availabilityVariants = variantsOf({
  'gateway-errors': {
    sentence:
      'Now and then a gateway answers 502, 503 or 504, with and without Retry-After, and nothing is done.',
    may: { inconclusive: { requirements: anything, because: putOff } },
    alter(parts) {
      let requests = 0
      admitBefore(() => {
        if (++requests % gatewayEvery !== 0) return undefined
        const turn = requests / gatewayEvery
        return gatewayPage([502, 503, 504][turn % 3] as number, turn % 2 === 0 ? { 'retry-after': '1' } : {})
      })(parts)
    },
  },
  'gateway-times-out-though-done': {
    sentence: 'Now and then a gateway answers 504 to a request that is done all the same.',
    may: { inconclusive: { requirements: anything, because: /50[234]|gateway|repeated|found once/i } },
    alter(parts) {
      let accepted = 0
      changeRendered((rendered, { refused }) =>
        refused === undefined && ++accepted % gatewayEvery === 0 ? gatewayPage(504) : rendered,
      )(parts)
    },
  },
  'one-second-outage': {
    sentence: 'For a second in the midst of a run every connection ends without an answer.',
    may: { inconclusive: { requirements: anything, because: /connection|closed|reset|broke|unreachable/i } },
    alter: outage(drop),
  },
  'one-second-maintenance': {
    sentence: 'For a second in the midst of a run every request is answered 503, without Retry-After.',
    may: { inconclusive: { requirements: anything, because: putOff } },
    alter: outage(() => gatewayPage(503)),
  },
  'throttled-by-rate': {
    sentence: `Of more than ${mostPerSecond} requests in a second the rest is turned away with 429 and Retry-After.`,
    takesLong: true,
    alter(parts) {
      let second = 0
      let served = 0
      admitBefore(() => {
        const now = Math.floor(performance.now() / 1000)
        if (now !== second) [second, served] = [now, 0]
        return ++served > mostPerSecond ? gatewayPage(429, { 'retry-after': '1' }) : undefined
      })(parts)
    },
  },
  'wrong-credentials-banned': {
    sentence: `Whoever sends ${mostWrongCredentials} wrong credentials is answered 403 from then on, whatever he asks.`,
    may: { inconclusive: { requirements: anything, because: /403|credential|ban|blocked/i } },
    alter(parts) {
      let wrong = 0
      const honest = parts.identify
      parts.identify = (arrival, store) => {
        const user = honest(arrival, store)
        if (user === undefined && parts.credentialOf(arrival) !== undefined) wrong++
        return user
      }
      admitBefore(() => (wrong >= mostWrongCredentials ? gatewayPage(403) : undefined))(parts)
    },
  },
  'interim-answers': {
    sentence: 'Before each answer come interim ones, 102 and 103.',
    alter: wrapping('send', (honest) => async (rendered, arrival) => {
      const { response } = arrival
      if (!response.destroyed) {
        response.writeProcessing()
        await new Promise<void>((resolve) => {
          response.writeEarlyHints({ link: '</portal.css>; rel=preload; as=style' }, resolve)
        })
      }
      await honest(rendered, arrival)
    }),
  },
  'idle-connections-dropped': {
    sentence: `A connection that is idle for ${idleMs} ms is closed, without a hint.`,
    may: { inconclusive: { requirements: anything, because: /connection|closed|reset|broke/i } },
    alter: wrapping('send', (honest) => async (rendered, arrival) => {
      await honest(rendered, arrival)
      dropWhenIdle(arrival.socket)
    }),
  },
  'busy-answered-503': {
    sentence: 'Whoever asks for a sync while one is in progress is answered 503 with Retry-After.',
    may: {
      // Whoever waits as he is told never meets a running sync.
      inconclusive: { requirements: ['sync-workspace/*one-at-a-time'], because: /timing could not tell|503/ },
    },
    alter: changeRendered((rendered, { refused }) =>
      refused === 'sync-running' ? gatewayPage(503, { 'retry-after': '1' }) : rendered,
    ),
  },
})

function dropWhenIdle(socket: Socket): void {
  const { bytesRead } = socket
  setTimeout(() => socket.bytesRead === bytesRead && socket.destroy(), idleMs).unref()
}
