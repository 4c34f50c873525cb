import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import ajvFormats from 'ajv-formats'
import { Hono } from 'hono'
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend'
import { beforeAll, describe, expect, it } from 'vitest'
import { actorNames } from '../../deployment/configuration/actors.ts'
import type { Results } from '../../reporters/results.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { runConformance } from '../api.ts'
import { madeUpNames, madeUpProvider } from '../fixtures/made-up-provider.fixture.ts'

interface MockPortal {
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

const basePath = '/sharing/rest'

/** Answers a request that the document accepts with the first example, and refuses others. Ignores credentials. */
async function startMockPortal(document: Document): Promise<MockPortal> {
  const api = new OpenAPIBackend({
    definition: document,
    apiRoot: basePath,
    // It can validate only OpenAPI 3.0 documents; a linter validates ours.
    quick: true,
    // Form fields are text: they become numbers and arrays if the document declares these.
    ajvOpts: { coerceTypes: 'array', strict: false },
    customizeAjv: (ajv) => ajvFormats.default(ajv),
    handlers: {
      notImplemented: ({ operation }: Context) => {
        const { status, mock } = api.mockResponseForOperation(operation.operationId as string)
        return Response.json(mock, { status })
      },
      validationFail: ({ validation }: Context) => refusal(400, JSON.stringify(validation.errors)),
      methodNotAllowed: () => refusal(405, 'The document has no such method.'),
      notFound: () => refusal(404, 'The document has no such path.'),
    },
  })
  await api.init()
  const app = new Hono().all('*', async ({ req }) =>
    api.handleRequest({
      method: req.method,
      path: req.path,
      query: req.query(),
      headers: req.header(),
      body: await req.parseBody(),
    }),
  )
  return new Promise((resolve) => {
    // Portals of later tests in this process need Node's own Response.
    const options = { fetch: app.fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false }
    const server = serve(options, ({ port }) =>
      resolve({
        baseUrl: `http://127.0.0.1:${port}${basePath}`,
        close: () => new Promise((closed) => server.close(() => closed())),
      }),
    )
  })
}

function refusal(code: number, message: string): Response {
  return Response.json({ error: { code, message, details: [] } }, { status: code })
}

const document = () => JSON.parse(readFileSync(new URL('../../specs/openapi.json', import.meta.url), 'utf8'))

function configurationFor(baseUrl: string): object {
  const names: Readonly<Record<string, string>> = madeUpNames
  const actor = (name: string) => ({
    credential: `token-of-${name}`,
    username: names[name] ?? `user-${name}`,
    portal: name === 'guestAdministrator' || name === 'syncInitiator' ? 'guest' : 'host',
  })
  return {
    target: { baseUrl, version: '11.0', edition: 'self-hosted' },
    authentication: { in: 'form', name: 'token' },
    portals: {
      host: { id: 'host-portal' },
      guest: { id: madeUpNames.guestPortal },
      otherGuest: { id: 'other-portal' },
    },
    actors: Object.fromEntries(actorNames.map((name) => [name, actor(name)])),
    contract: {
      sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
      run: { statuses: ['executing', 'succeeded'], closed: true },
    },
    effects: 'all',
    run: { settle: '100ms', guestRefresh: '100ms' },
  }
}

describe('a run on a mock server that serves only the examples of the document', () => {
  let results: Results
  let outcomes: ReadonlyMap<string, Outcome>

  beforeAll(async () => {
    const mock = await startMockPortal(document())
    const configuration = configurationFor(mock.baseUrl)
    results = await runConformance({ configuration, runs: 1, seed: 7, fixtures: madeUpProvider })
    outcomes = new Map(results.requirements.map(({ id, outcome }) => [id, outcome]))
    await mock.close()
  })

  it('is complete, and non-conformant', () => {
    expect(results).toMatchObject({ verdict: 'non-conformant', complete: true })
    expect(results.errors).toBeUndefined()
    const untested = results.requirements.filter(({ outcome }) => outcome === 'not-tested')
    expect(untested.map(({ id, reason }) => [id, reason])).toEqual([])
    expect(results.totals.failed).toBeGreaterThan(30)
  })

  it('passes the shape checks of accepted answers for every operation', () => {
    const shapes = results.requirements.filter(({ kind, level }) => kind === 'shape' && level !== 'advice')
    const passed = shapes.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)
    // The others need a refusal that depends on the receiver, which no document can cause.
    expect(shapes.map(({ id }) => id).filter((id) => !passed.includes(id))).toEqual([
      'reassign-items/ineligible-target',
      'reassign-items/error-shape',
      'reassign-items/error-details-fields',
    ])
    expect(passed.length).toBeGreaterThanOrEqual(13)
    const protocol = results.requirements.find(({ id }) => id === 'protocol/form-post')
    expect(protocol?.checks.map(({ outcome }) => outcome)).toEqual(Array(7).fill('passed'))
  })

  it('does not pass the race of reassign-items, whose items change no owner', () => {
    expect(['failed', 'inconclusive']).toContain(outcomes.get('reassign-items/concurrent-one-wins'))
  })

  it('passes no check of refused roles, relations or races', () => {
    const behaviour = results.requirements.filter(
      ({ id, kind }) =>
        // The example can have a valid time.
        id !== 'add-workspace/last-sync-milliseconds' &&
        ((kind === 'roles' && id.includes('/refuses-')) || kind === 'relations' || kind === 'races'),
    )
    expect(behaviour.length).toBeGreaterThan(40)
    expect(behaviour.filter(({ outcome }) => outcome === 'passed')).toEqual([])
  })
})
