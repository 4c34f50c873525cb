/** The routes of the portal and the way of a request through its parts. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { operations } from '../specs/operations.ts'
import { receive } from './arrival.ts'
import { createFixtures, FixtureError, runHeader } from './fixtures.ts'
import { isForm } from './form.ts'
import { describeCaller, describePortal, generateToken, release } from './identity-endpoints.ts'
import type { Answer, Arrival, Call, Parts, Rendered } from './parts.ts'
import type { PortalName } from './portal-name.ts'
import { formatOf, formats } from './rendering.ts'
import type { Store } from './store.ts'

/** A request and its answer, just before that goes over the wire. */
export interface Served {
  readonly arrival: Arrival
  /** Unix time in milliseconds. */
  readonly arrivedAt: number
  /** Absent: not a request of an operation, or one that was turned away at once. */
  readonly call?: Call
  /** Absent: turned away at once. */
  readonly answer?: Answer
  readonly rendered: Rendered
}

export interface Portal {
  readonly parts: Parts
  /** The parts that serve the next request, where these are not always the same; fixtures never need them. */
  readonly nextParts?: () => Parts
  readonly watch?: (served: Served) => void
  readonly store: Store
  readonly latencyMs: number
  /** Requests of operations so far. */
  requests: number
}

type Bound = { Bindings: HttpBindings }

type Received = Arrival & { tooLarge: boolean }

/** The application that answers for some of the portals: a path that names another one is refused. */
export function createApplication(portal: Portal, serves: (name: PortalName) => boolean): Hono<Bound> {
  const { parts, store } = portal
  const app = new Hono<Bound>()
  const elsewhere = Object.entries(store.portals)
    .filter(([name]) => !serves(name as PortalName))
    .map(([, id]) => id)

  const calls = new WeakMap<Arrival, Call>()
  type AnswerTo = (arrival: Received, context: Context<Bound>, serving: Parts) => Answer | Promise<Answer>

  const answering = (answerTo: AnswerTo) => {
    return async (context: Context<Bound>) => {
      const { incoming, outgoing } = context.env
      const serving = portal.nextParts?.() ?? parts
      try {
        const arrival = await receive(serving, incoming, outgoing)
        const arrivedAt = Date.now()
        const turnedAway = serving.admit(arrival)
        const answer = turnedAway === undefined ? await answerTo(arrival, context, serving) : undefined
        const rendered = turnedAway ?? serving.render(answer as Answer, arrival)
        if (portal.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, portal.latencyMs))
        if (portal.watch !== undefined) {
          const call = calls.get(arrival)
          portal.watch({
            ...{ arrival, arrivedAt, rendered },
            ...(call === undefined ? {} : { call }),
            ...(answer === undefined ? {} : { answer }),
          })
        }
        await serving.send(rendered, arrival)
      } catch (error) {
        // A client that has gone away is no failure; anything else must be seen.
        if (!incoming.destroyed || incoming.complete) fail(outgoing, error)
      }
      return RESPONSE_ALREADY_SENT
    }
  }

  for (const { id: operation, path } of operations) {
    const route = parts.basePath + path.replace(/\{(\w+)\}/g, ':$1')
    const serve = answering((arrival, context, serving) => {
      portal.requests++
      const refused = misfit(serving, arrival)
      if (refused !== undefined) return refused
      const params = context.req.param() as Record<string, string>
      if (elsewhere.includes(params.portalID ?? '')) return serving.refuse('unknown-portal')
      const user = serving.identify(arrival, store)
      const call: Call = { operation, params, form: arrival.form, user, arrival, store, parts: serving }
      calls.set(arrival, call)
      return serving.handlers[operation](call)
    })
    app.all(route, serve)
  }

  const base = parts.basePath
  app.all(
    base,
    answering(() => ({ status: 200, body: { currentVersion: release } })),
  )
  app.post(
    `${base}/generateToken`,
    answering((arrival) => generateToken(parts, store, arrival)),
  )
  app.all(
    `${base}/portals/self`,
    answering((arrival) => describePortal(store, parts.identify(arrival, store))),
  )
  app.all(
    `${base}/community/self`,
    answering((arrival) => describeCaller(parts, store, parts.identify(arrival, store))),
  )
  app.post('/fixtures/:kind', fixtureRoute(portal))
  app.all(
    '*',
    answering(() => ({ ...parts.refuse('not-found'), status: 404 })),
  )
  return app
}

/** Why a request cannot be one of an operation, whatever it asks for. */
function misfit(parts: Parts, arrival: Received): Answer | undefined {
  if (arrival.method !== 'POST') return parts.refuse('post-only')
  if (arrival.tooLarge) return parts.refuse('too-large')
  if (arrival.body.length > 0 && !isForm(arrival.headers['content-type'])) return parts.refuse('not-a-form')
  return formats.includes(formatOf(arrival)) ? undefined : parts.refuse('unknown-format')
}

function fail(outgoing: HttpBindings['outgoing'], error: unknown): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const message = `The portal failed: ${error instanceof Error ? error.message : error}`
  outgoing.writeHead(500, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ error: { code: 500, message, details: [] } }))
}

/** `POST /fixtures/{kind}` with JSON options. */
function fixtureRoute({ parts, store }: Portal) {
  const fixturesFor = createFixtures(parts, store)
  return async (context: Context<Bound>) => {
    const fixtures = fixturesFor(context.req.header(runHeader))
    const kind = context.req.param('kind') as string
    const make = Object.hasOwn(fixtures, kind) ? fixtures[kind] : undefined
    if (make === undefined) return context.json({ error: `The portal hands out no "${kind}".` }, 404)
    try {
      const text = await context.req.text()
      const options: unknown = text === '' ? {} : JSON.parse(text)
      if (typeof options !== 'object' || options === null)
        throw new FixtureError('expected an object of options')
      return context.json(make(options as Record<string, unknown>))
    } catch (error) {
      if (error instanceof FixtureError) return context.json({ error: error.message }, 400)
      if (error instanceof SyntaxError) return context.json({ error: 'The options are not JSON.' }, 400)
      throw error
    }
  }
}
