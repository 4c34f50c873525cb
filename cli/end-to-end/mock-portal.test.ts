import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import ajvFormats from 'ajv-formats'
import { Hono } from 'hono'
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend'
import { beforeAll, describe, expect, it } from 'vitest'
import { actorNames } from '../../deployment/configuration/actors.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { folderOfFile } from '../process/test-folder.fixture.ts'

interface MockPortal {
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

const basePath = '/sharing/rest'

/** Answers what the document accepts with its first example and refuses all else; no one is asked who they are. */
async function startMockPortal(document: Document): Promise<MockPortal> {
  const api = new OpenAPIBackend({
    definition: document,
    apiRoot: basePath,
    // Its own look at documents knows OpenAPI 3.0 only; a linter looks at ours.
    quick: true,
    // The fields of a form are text: numbers and arrays are made of them where the document says so.
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
    // Tests that come after it in the same process have portals that answer by the Response of Node.
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

const many = <T>(make: (at: number) => T, length = 300): T[] => Array.from({ length }, (_, at) => make(at))

/** Everything is made up: a mock knows nothing by name, and so takes every name. */
const madeUp = {
  collaboration: many((at) => ({ collaborationId: `collaboration-${at}` })),
  // Some checks want a workspace of a collaboration that they were given, or a second one beside a first.
  workspace: ['elsewhere', 'collaboration', 'collaboration', 'elsewhere'].flatMap((of, round) =>
    many((at) => ({ collaborationId: `${of}-${at}`, workspaceId: `w-${round}-${at}`, minimumSyncMs: 1000 })),
  ),
  scheduledSync: many((at) => ({
    collaborationId: `s-${at}`,
    workspaceId: `synced-${at}`,
    remainingMs: 1000,
  })),
  participant: ['joined', 'collaboration'].flatMap((of) =>
    many((at) => ({ collaborationId: `${of}-${at}`, participantPortalId: 'guest-portal' })),
  ),
  group: [{ groupId: 'group-1' }, { groupId: 'group-2' }],
  items: ['itemOwner', 'itemOwnerUnprivileged'].flatMap((owner) =>
    many((at) => ({ owner, itemIds: many((index) => `item-${at}-${index}`) }), 20),
  ),
  eligibleUser: [{ username: 'receiver-1' }, { username: 'receiver-2' }],
  ineligibleUser: [{ username: 'bystander-1' }, { username: 'bystander-2' }],
  taskRun: many((at) => ({ userName: 'user-of-tasks', taskId: `task-${at}`, runId: `run-${at}` })),
  federation: [{ federationId: 'federation-1' }],
}

function configurationFor(baseUrl: string): object {
  const actor = (name: string) => ({
    credential: `token-of-${name}`,
    username: `user-${name}`,
    portal: name === 'guestAdministrator' || name === 'syncInitiator' ? 'guest' : 'host',
  })
  return {
    target: { baseUrl, version: '11.0', edition: 'self-hosted' },
    authentication: { in: 'form', name: 'token' },
    portals: {
      host: { id: 'host-portal' },
      guest: { id: 'guest-portal' },
      otherGuest: { id: 'other-portal' },
    },
    actors: Object.fromEntries(actorNames.map((name) => [name, actor(name)])),
    fixtures: { static: madeUp },
    contract: {
      sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
      run: { statuses: ['executing', 'succeeded'], closed: true },
    },
    effects: 'all',
    run: { settle: '100ms', guestRefresh: '100ms' },
  }
}

describe('the suite on a mock server that knows the document only', () => {
  const folder = folderOfFile()
  let code: number
  let results: Results
  let outcomes: ReadonlyMap<string, Outcome>

  beforeAll(async () => {
    const mock = await startMockPortal(document())
    try {
      const config = join(folder, 'mock.json')
      writeFileSync(config, JSON.stringify(configurationFor(mock.baseUrl)))
      const ended = await command('run --runs 1 --seed 7 --reporter json --config', config, '--out', folder)
      code = ended.code
      results = resultsIn(folder)
      outcomes = new Map(results.requirements.map(({ id, outcome }) => [id, outcome]))
    } finally {
      await mock.close()
    }
  })

  it('comes to its end, and to no green verdict', () => {
    expect(results).toMatchObject({ verdict: 'non-conformant', complete: true })
    expect([code, results.errors]).toEqual([exitCodes.nonConformant, undefined])
    expect(
      results.requirements
        .filter(({ outcome }) => outcome === 'not-tested')
        .map(({ id, reason }) => [id, reason]),
    ).toEqual([])
    expect(results.totals.failed).toBeGreaterThan(30)
  })

  it('passes every shape of an accepted answer, on every operation', () => {
    const shapes = results.requirements.filter(({ kind, level }) => kind === 'shape' && level !== 'advice')
    const passed = shapes.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)
    // What is left are the shapes of a refusal that depends on who receives: no document can bring it about.
    expect(shapes.map(({ id }) => id).filter((id) => !passed.includes(id))).toEqual([
      'reassign-items/ineligible-target',
      'reassign-items/error-shape',
      'reassign-items/error-details-fields',
    ])
    expect(passed.length).toBeGreaterThanOrEqual(13)
    const protocol = results.requirements.find(({ id }) => id === 'protocol/form-post')
    expect(protocol?.checks.map(({ outcome }) => outcome)).toEqual(Array(7).fill('passed'))
  })

  it.each<[Outcome, string]>([
    ['passed', 'add-workspace/name-limit-accepts'],
    ['passed', 'add-workspace/name-limit-rejects'],
    ['passed', 'add-workspace/description-limit-rejects'],
    ['passed', 'update-task-run/status-required'],
    ['passed', 'update-task-run/result-optional'],
    ['passed', 'reassign-items/items-required'],
    ['passed', 'reassign-items/target-required'],
    ['passed', 'update-federation/groups-array'],
    ['passed', 'protocol/post-only'],
    ['failed', 'add-workspace/collaboration-id'],
    ['failed', 'add-workspace/id-is-new'],
    ['failed', 'add-workspace/name-kept'],
    ['failed', 'add-workspace/refuses-guest'],
    ['failed', 'update-task-run/identifiers'],
    ['failed', 'reassign-items/ineligible-target'],
    ['failed', 'reassign-items/refuses-anonymous'],
    ['failed', 'reassign-items/ownership-moves'],
    ['failed', 'sync-workspace/synchronous-blocks'],
    ['failed', 'sync-workspace/one-at-a-time'],
    // All of its syncs have the same jobId.
    ['inconclusive', 'sync-workspace/own-syncs-one-at-a-time'],
    ['failed', 'update-participant/unknown-participant'],
    ['failed', 'delete-collaboration/gone-after-delete'],
    ['failed', 'update-federation/refuses-other-organization'],
    ['inconclusive', 'reassign-items/error-shape'],
    ['inconclusive', 'reassign-items/error-details-owner'],
    ['inconclusive', 'reassign-items/ineligible-target-keeps-owner'],
    ['inconclusive', 'delete-collaboration/refused-delete-has-no-effect'],
  ])('%s: %s', (outcome, id) => {
    expect(outcomes.get(id)).toBe(outcome)
  })

  it('is not green for races in which nothing moves: all win where they meet, else no one knows', () => {
    expect(['failed', 'inconclusive']).toContain(outcomes.get('reassign-items/concurrent-one-wins'))
  })

  it('passes no role that refuses, no identifier and no race', () => {
    const behaviour = results.requirements.filter(
      ({ id, kind }) =>
        // An example may well hold a time.
        id !== 'add-workspace/last-sync-milliseconds' &&
        ((kind === 'roles' && id.includes('/refuses-')) || kind === 'relations' || kind === 'races'),
    )
    expect(behaviour.length).toBeGreaterThan(40)
    expect(behaviour.filter(({ outcome }) => outcome === 'passed')).toEqual([])
  })
})
