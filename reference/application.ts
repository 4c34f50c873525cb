/** The routes of the portal, and how a request passes through its parts. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { operations } from '../specs/operations.ts'
import type { Route } from './administration/call.ts'
import { administer, administrativeRoutes, siteRoutes } from './administration/routes.ts'
import { shown } from './answers.ts'
import { createFixtures, FixtureError, runHeader } from './fixtures.ts'
import { Form, isForm, partsOf } from './form.ts'
import type { Answer, Arrival, Call, Parts, Rendered } from './parts.ts'
import { formatOf, formats } from './rendering.ts'
import type { PortalName, Store } from './store.ts'
import { endDueSyncs } from './syncing.ts'
import { describeCaller, describePortal, describeServer, generateToken, releaseFields } from './users.ts'

/** A request and its answer, just before the answer is sent. */
export interface Served {
  readonly arrival: Arrival
  /** Unix time in milliseconds. */
  readonly arrivedAt: number
  /** Absent: the request is not for an operation, or the portal refused it before the operation handled it. */
  readonly call?: Call
  /** Absent: the portal refused the request at once, or answered with a file. */
  readonly answer?: Answer
  readonly rendered: Rendered
}

export interface Portal {
  readonly parts: Parts
  /** The parts for the next request, if they vary between requests. Fixtures always use `parts`. */
  readonly nextParts?: (request: IncomingMessage) => Parts
  readonly watch?: (served: Served) => void
  readonly store: Store
  readonly latencyMs: number
  /** The number of operation requests so far. */
  requests: number
}

type Bound = { Bindings: HttpBindings }

type Received = Arrival & { tooLarge: boolean }

/** The path of each portal's site on the shared server. */
export const siteOf: Readonly<Record<PortalName, string>> = {
  host: '',
  guest: '/guest',
  otherGuest: '/other-guest',
}

/** A type of our own: the declarations of the package would need those of Hono otherwise, and these the DOM. */
interface Application {
  fetch(request: Request, bindings: object): Response | Promise<Response>
}

/** The application for the portals that `serves` selects. It refuses paths with the id of another portal. */
export function createApplication(portal: Portal, serves: (name: PortalName) => boolean): Application {
  const { parts, store } = portal
  // Some clients end paths with a slash.
  const app = new Hono<Bound>({ strict: false })
  const elsewhere = Object.entries(store.portals)
    .filter(([name]) => !serves(name as PortalName))
    .map(([, id]) => id)

  const calls = new WeakMap<Arrival, Call>()
  type AnswerTo = (arrival: Received, context: Context<Bound>, serving: Parts) => Reply | Promise<Reply>

  const answering = (answerTo: AnswerTo) => {
    return async (context: Context<Bound>) => {
      const { incoming, outgoing } = context.env
      const serving = portal.nextParts?.(incoming) ?? parts
      try {
        const arrival = await receive(serving, incoming, outgoing)
        const arrivedAt = Date.now()
        endDueSyncs(portal.store)
        const turnedAway = serving.admit(arrival)
        const reply = turnedAway === undefined ? await answerTo(arrival, context, serving) : undefined
        const rendered = turnedAway ?? renderReply(serving, reply as Reply, arrival)
        if (portal.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, portal.latencyMs))
        if (portal.watch !== undefined) {
          const call = calls.get(arrival)
          portal.watch({
            arrival,
            arrivedAt,
            rendered,
            ...(call === undefined ? {} : { call }),
            ...(reply === undefined || Buffer.isBuffer(reply.body) ? {} : { answer: reply as Answer }),
          })
        }
        await serving.send(rendered, arrival)
      } catch (error) {
        // Ignore clients that disconnect. Report every other error.
        if (!incoming.destroyed || incoming.complete) fail(outgoing, error)
      }
      return RESPONSE_ALREADY_SENT
    }
  }

  for (const [at, site] of Object.entries(siteOf) as [PortalName, string][]) {
    if (at === 'host' || serves(at)) mount(at, site)
  }
  app.post('/fixtures/:kind', fixtureRoute(portal))
  const nothing = answering(() => ({ ...parts.refuse('not-found'), status: 404 }))
  app.all('*', nothing)
  return app

  function mount(at: PortalName, site: string): void {
    const base = site + parts.basePath
    for (const { id: operation, path } of operations) {
      const route = base + path.replace(/\{(\w+)\}/g, ':$1')
      const serve = answering((arrival, context, serving) => {
        portal.requests++
        const refused = misfit(serving, arrival)
        if (refused !== undefined) return refused
        const params = context.req.param() as Record<string, string>
        if (elsewhere.includes(params.portalID ?? '')) return serving.refuse('unknown-portal')
        const user = serving.identify(arrival, store)
        if (params.portalID === 'self') params.portalID = store.portals[user?.organization ?? at]
        const call: Call = { operation, params, form: arrival.form, user, arrival, store, parts: serving }
        calls.set(arrival, call)
        return serving.handlers[operation](call)
      })
      app.all(route, serve)
    }

    const context = (from: Context<Bound>) => (name: PortalName) => {
      const [scheme, used] = originOf(from).split('://') as [string, string]
      const path = siteOf[name] + parts.basePath.replace(/\/sharing\/rest$/, '')
      const own = parts.administration.ownAddress(name, used + path)
      return `${own === used + path ? scheme : 'https'}://${own}`
    }
    const pages: Record<string, AnswerTo> = {
      '': () => shown(releaseFields(parts)),
      '/info': (_, context) => describeServer(parts, `${originOf(context)}${base}`),
      '/community/self': (arrival) => describeCaller(parts, store, arrival),
    }
    for (const named of ['self', ...Object.values(store.portals)])
      pages[`/portals/${named}`] = (arrival, from) =>
        describePortal(parts, store, arrival, { at, contextUrl: context(from) })
    for (const [path, answerTo] of Object.entries(pages)) app.all(base + path, answering(answerTo))
    const token = answering((arrival) => generateToken(parts, store, arrival, at))
    app.post(`${base}/generateToken`, token)
    const administered = (route: Route) =>
      answering(async (arrival, from) => {
        const place = { params: from.req.param() as Record<string, string>, at, contextUrl: context(from) }
        const takesMs = parts.administration.takesMs(route.path)
        if (takesMs > 0) await sleep(takesMs, undefined, { ref: false })
        return administer(route, arrival, place, portal)
      })
    for (const route of administrativeRoutes) app.all(base + route.path, administered(route))
    for (const route of siteRoutes)
      app.all(base.replace(/\/sharing\/rest$/, '') + route.path, administered(route))
  }
}

function originOf({ env: { incoming } }: Context<Bound>): string {
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http'
  return `${scheme}://${incoming.headers.host}`
}

type Reply = Answer | Rendered

/** Renders an answer. Files are already rendered. */
function renderReply(parts: Parts, reply: Reply, arrival: Arrival): Rendered {
  return Buffer.isBuffer(reply.body) ? (reply as Rendered) : parts.render(reply as Answer, arrival)
}

/** The refusal of a request that no operation accepts, whatever its parameters. */
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
  sendJson(outgoing, 500, { error: { code: 500, message, details: [] } })
}

function sendJson(outgoing: HttpBindings['outgoing'], status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  outgoing.end(bytes)
}

/** `POST /fixtures/{kind}` with JSON options. */
function fixtureRoute({ parts, store }: Portal) {
  const fixturesFor = createFixtures(parts, store)
  return async ({ req, env: { incoming, outgoing } }: Context<Bound>) => {
    const fixtures = fixturesFor(req.header(runHeader))
    const kind = req.param('kind') as string
    const make = Object.hasOwn(fixtures, kind) ? fixtures[kind] : undefined
    const reply = (status: number, body: unknown) => {
      sendJson(outgoing, status, body)
      return RESPONSE_ALREADY_SENT
    }
    if (make === undefined) return reply(404, { error: `The portal hands out no "${kind}".` })
    try {
      const asked = await text(incoming)
      const options: unknown = asked === '' ? {} : JSON.parse(asked)
      if (typeof options !== 'object' || options === null)
        throw new FixtureError('expected an object of options')
      return reply(200, make(options as Record<string, unknown>))
    } catch (error) {
      if (error instanceof FixtureError) return reply(400, { error: error.message })
      if (error instanceof SyntaxError) return reply(400, { error: 'The options are not JSON.' })
      throw error
    }
  }
}

/**
 * Reads a request. `form` is empty if the body is not a form. `tooLarge`: the body exceeded the limit and was
 * discarded.
 */
async function receive(parts: Parts, incoming: IncomingMessage, response: ServerResponse): Promise<Received> {
  const chunks: Buffer[] = []
  let size = 0
  // Read an oversized body to its end. Otherwise a client that is still writing would not get the answer.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= parts.limits.bodyBytes) chunks.push(chunk)
  }
  const tooLarge = size > parts.limits.bodyBytes
  const body = tooLarge ? Buffer.alloc(0) : Buffer.concat(chunks)
  const contentType = incoming.headers['content-type'] ?? ''
  const { texts, files } = await partsOf(body, contentType)
  const search = (incoming.url ?? '').split('?')[1]
  return {
    method: incoming.method ?? 'GET',
    query: new URLSearchParams(search),
    headers: incoming.headers,
    body,
    form: new Form(isForm(contentType) ? parts.decodeForm(body, contentType) : texts),
    files,
    socket: incoming.socket,
    response,
    tooLarge,
  }
}
