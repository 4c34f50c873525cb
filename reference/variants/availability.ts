/** Portals that are sometimes unavailable, that show changes late, or that make one change at a time. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import {
  addedId,
  admitBefore,
  around,
  changeRendered,
  everyNth,
  everywhere,
  onceAccepted,
  refuseWhen,
  remembering,
  withHeaders,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, itemIdsIn } from '../handlers.ts'
import type { Alter, Arrival, Call, Rendered } from '../parts.ts'
import { asPage } from '../rendering.ts'
import { leaving, variantsOf } from './variant.ts'

/** Shorter than the settle time of a run. */
const showsAfterMs = 150
/** How long an edit blocks other edits of the same object. */
const editMs = 10
const mostWorkspaces = 5
/** How long a change blocks all others. */
const changeMs = 2
const oneOf = 25

/** The operations that exclude each other. */
const changes = operationIds.filter((id) => id !== 'sync-workspace')

/** The ids that a request edits. The user in the path does not count, because several objects share a user. */
const edited = (call: Call): string[] => {
  const { collaborationID, federationID, runID } = call.params
  const thing = collaborationID ?? federationID ?? runID
  return thing === undefined ? itemIdsIn(call) : [thing]
}

/** For some milliseconds after a change of some things, refuses other changes of them. Checks the caller first. */
const refusingMeanwhile = (changed: (call: Call) => readonly string[], ms: number, why: Reason): Alter =>
  remembering(
    () => new Set<string>(),
    (busy) =>
      everywhere(
        (operation) =>
          around(operation, async (call, honest) => {
            const things = changed(call)
            if (call.user !== undefined && things.some((thing) => busy.has(thing)))
              return call.parts.refuse(why)
            const answer = await honest()
            if (answer.refused !== undefined) return answer
            for (const thing of things) busy.add(thing)
            await sleep(ms)
            for (const thing of things) busy.delete(thing)
            return answer
          }),
        changes,
      ),
  )

const addedTogether = 'add-workspace/concurrent-ids-distinct'

/** Changes that show late or exclude other changes, and limits on workspaces. */
export const visibilityVariants = variantsOf({
  'workspaces-show-late': {
    sentence: `A new workspace can be synced only after ${showsAfterMs} ms.`,
    because: '§4.1: whether a workspace can be synced as soon as it was added is not shown',
    alter: onceAccepted(
      'add-workspace',
      (_call, answer) => addedId(answer),
      (hidden) =>
        refuseWhen('sync-workspace', 'unknown-workspace', ({ params }) => hidden.has(params.workspaceID)),
      showsAfterMs,
    ),
  },
  'concurrent-edits-refused': {
    sentence: 'While a thing is edited, every other edit of it is refused.',
    because: 'RFC 9110, 15.5.10 and RFC 4918, 11.3: edits that meet may be refused with 409 or 423',
    may: {
      ...leaving('inconclusive', ['*/concurrent-*'], /accepted|edited/),
      ...leaving('not-applicable', [addedTogether], /accepts only one/),
    },
    alter: refusingMeanwhile(edited, editMs, 'being-edited'),
  },
  'one-change-at-a-time': {
    sentence: 'While anything is changed, every other change is refused with the code 409.',
    because: 'RFC 9110, 15.5.10: changes that meet may be refused with 409',
    takesLong: true,
    // If the portal refuses the delete at first, the retry comes too late to overlap with the sync.
    may: {
      ...leaving(
        'inconclusive',
        ['*/concurrent-*', 'delete-collaboration/deletes', 'sync-workspace/one-at-a-time'],
        /accepted|timing proves nothing/,
      ),
      ...leaving('not-applicable', [addedTogether], /accepts only one/),
    },
    alter: refusingMeanwhile(() => ['anything'], changeMs, 'busy'),
  },
  'too-many-requests-in-body': {
    sentence: `Of ${oneOf} requests one is refused with the code 429, under HTTP status 200.`,
    because: '§8: rate limits are not shown; public pages answer errors under HTTP 200',
    // Variants that hide the code of refusals would hide the reason.
    takesLong: true,
    // Checks that measure time do not retry.
    may: leaving('inconclusive', ['sync-workspace/*', 'lifecycle/*'], /"code":429/),
    alter: remembering(
      () => everyNth(oneOf),
      (isTooMuch) => everywhere((operation) => refuseWhen(operation, 'too-many-requests', isTooMuch)),
    ),
  },
  'workspace-quota': {
    sentence: `A collaboration has ${mostWorkspaces} workspaces at most.`,
    because: '§8: other limits are not shown',
    may: leaving(
      'inconclusive',
      ['**'],
      /make room for more workspaces|the collaboration is full|the collaboration refuses every workspace/,
    ),
    alter: refuseWhen(
      'add-workspace',
      'quota',
      (call) => (collaborationIn(call)?.workspaces.size ?? 0) >= mostWorkspaces,
    ),
  },
})

const gatewayPage = (status: number, headers: Rendered['headers'] = {}): Rendered =>
  withHeaders(asPage(status, 'Gateway', { status }), headers)

/** Closes the connection without an answer. */
function drop({ socket }: Arrival): Rendered {
  socket.destroy()
  return { status: 503, headers: {}, body: Buffer.alloc(0) }
}

/** An outage of one second that starts with a certain request. */
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

/** In the middle of a run. */
const outageAt = 150
/** The gateway answers one in this many requests itself. */
const gatewayEvery = 45
const mostPerSecond = 150
const mostWrongCredentials = 20
const idleMs = 25

/** Any check may lose a request. */
const anything = ['**']
/** The reason of a check whose requests kept meeting the gateway, or may have taken effect before a retry. */
const putOff = /not available \(HTTP 50[234]\)|retried after HTTP 50[234]/

/** Gateways, rate limits, outages, firewalls and closed connections. */
export const availabilityVariants = variantsOf({
  'gateway-errors': {
    sentence:
      'Now and then a gateway answers 502, 503 or 504, with and without Retry-After, and nothing is done.',
    because: 'RFC 9110, 15.6.3 to 15.6.5: gateways answer so',
    may: leaving('inconclusive', anything, putOff),
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
    sentence: 'Now and then a gateway answers 504 to a request that is done anyway.',
    because: 'RFC 9110, 15.6.5: a gateway does not know what became of the request',
    may: leaving('inconclusive', anything, /50[234]|gateway|repeated|seen once/i),
    alter: remembering(
      () => everyNth(gatewayEvery),
      (isLost) =>
        changeRendered((rendered, { refused }) =>
          refused === undefined && isLost() ? gatewayPage(504) : rendered,
        ),
    ),
  },
  // Public administration scripts expect {"error":{"code":504,"message":"Your request has timed out."}} and read the
  // result back.
  'times-out-in-the-body-though-done': {
    sentence: 'Now and then a request is done and answered with the error code 504 or 502, under HTTP 200.',
    because: 'public administration scripts handle error codes 502 and 504 under HTTP 200',
    may: leaving('inconclusive', anything, /50[24]|repeated|seen once/i),
    alter(parts) {
      let accepted = 0
      const losing = (operation: OperationId) =>
        around(operation, async (_call, honest) => {
          const answer = await honest()
          if (answer.refused !== undefined || ++accepted % gatewayEvery !== 0) return answer
          return parts.refuse((accepted / gatewayEvery) % 2 === 0 ? 'bad-gateway' : 'timed-out')
        })
      everywhere(losing)(parts)
    },
  },
  'one-second-outage': {
    sentence: 'For a second in the midst of a run every connection ends without an answer.',
    settles: ['requests lost for good'],
    because: 'deployments restart: for updates, and after failures',
    may: leaving('inconclusive', anything, /connection|closed|reset|broke|unreachable/i),
    alter: outage(drop),
  },
  'one-second-maintenance': {
    sentence: 'For a second in the midst of a run every request is answered 503, without Retry-After.',
    because: 'RFC 9110, 15.6.4: temporarily unavailable for maintenance',
    may: leaving('inconclusive', anything, putOff),
    alter: outage(() => gatewayPage(503)),
  },
  'throttled-by-rate': {
    sentence: `Of more than ${mostPerSecond} requests in a second the rest is turned away with 429 and Retry-After.`,
    settles: ['throttling'],
    because: '§8: rate limits are not shown; RFC 6585, 4',
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
    sentence: `After ${mostWrongCredentials} wrong credentials a caller gets 403 for every request.`,
    settles: ['requests lost for good'],
    because:
      'public pages lock an account after five failed sign-ins, and tools such as fail2ban lock an address',
    may: leaving('inconclusive', anything, /403|credential|ban|blocked/i),
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
  'idle-connections-dropped': {
    sentence: `A connection that is idle for ${idleMs} ms is closed, without a hint.`,
    because: 'RFC 9112, 9.3: a server may close an idle connection at any time',
    may: leaving('inconclusive', anything, /connection|closed|reset|broke/i),
    alter: wrapping('send', (honest) => async (rendered, arrival) => {
      await honest(rendered, arrival)
      dropWhenIdle(arrival.socket)
    }),
  },
  'busy-answered-503': {
    sentence: 'A sync that is requested while one is in progress gets 503 with Retry-After.',
    settles: ['second sync'],
    because: '§4.4: what is answered while a sync runs is not shown; RFC 9110, 15.6.4',
    takesLong: true,
    // Waiting slows the run, so that simultaneous requests may time out.
    may: leaving(
      'inconclusive',
      ['sync-workspace/*one-at-a-time', 'add-workspace/concurrent-*', 'delete-collaboration/concurrent-*'],
      /timing proves nothing|503|no complete answer/,
    ),
    alter: changeRendered((rendered, { refused }) =>
      refused === 'sync-running' ? gatewayPage(503, { 'retry-after': '1' }) : rendered,
    ),
  },
})

function dropWhenIdle(socket: Socket): void {
  const { bytesRead } = socket
  setTimeout(() => socket.bytesRead === bytesRead && socket.destroy(), idleMs).unref()
}
