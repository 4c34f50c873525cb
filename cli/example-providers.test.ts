import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedPortal } from '../reference/portal.ts'
import { complaints, configured, folderWith, judged, served } from './example-provider.fixture.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
// A skipped test shows its reason by its name.
const pythonTest = hasPython
  ? test
  : (name: string, body: () => unknown) => test.skip(`${name}: no python3`, body)

const selection = [
  'update-participant/*',
  'reassign-items/reassigns',
  'update-task-run/*',
  'delete-collaboration/*',
]
const selected = selection.flatMap((glob) => ['--requirement', glob])

async function expectUseful(portal: EmbeddedPortal, folder: string, file: string): Promise<void> {
  const { code, results, complained } = await judged(folder, file, selected)
  expect(complained).not.toContain('Warning')
  expect(code).toBe(0)
  expect(results.totals).toMatchObject({ failed: 0, inconclusive: 0 })
  expect(results.totals.passed).toBeGreaterThan(15)
  // What no check removes is removed by the example.
  expect(portal.store.tasks.size).toBe(0)
}

test('the module hands out every kind as it should, and a run with it is conformant', async () => {
  const portal = await served()
  const folder = folderWith('provider.mjs')
  const file = configured(portal, folder, { module: './provider.mjs' })
  expect(await complaints(file)).toEqual({})
  expect(portal.store.collaborations.size).toBe(0)
  await expectUseful(portal, folder, file)
})

test('the module is typed as the package says', () => {
  const folder = folderWith('provider.mjs')
  const types = { 'portal-conformance': [fileURLToPath(new URL('api.ts', import.meta.url))] }
  const root = fileURLToPath(new URL('..', import.meta.url))
  const check = () => {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          allowJs: true,
          checkJs: true,
          noImplicitAny: false,
          paths: types,
          typeRoots: [join(root, 'node_modules/@types')],
        },
        include: ['provider.mjs'],
      }),
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('provider.mjs') || line.includes('provider.mjs('))
  }
  expect(check()).toEqual([])
  const text = readFileSync(join(folder, 'provider.mjs'), 'utf8')
  writeFileSync(
    join(folder, 'provider.mjs'),
    text.replace('return { collaborationId }', 'return { collaboration: collaborationId }'),
  )
  expect(check()).toHaveLength(1)
})

const noSchedule = 'not-offered: no fixture "scheduledSync": a scheduled sync cannot be started at will'

pythonTest('the Python program does the same, asked by lines', async () => {
  const portal = await served()
  const folder = folderWith('provider.py')
  const file = configured(portal, folder, { command: 'python3 provider.py' })
  expect(await complaints(file)).toEqual({ scheduledSync: noSchedule })
  expect(portal.store.collaborations.size).toBe(0)
  await expectUseful(portal, folder, file)
})

pythonTest('the Python program does the same over HTTP', async () => {
  const portal = await served()
  const folder = folderWith('provider.py')
  const server = spawn('python3', ['provider.py', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => ended(server))
  const [address] = await once(server.stdout as NodeJS.ReadableStream, 'data')
  const file = configured(portal, folder, { url: String(address).trim() })
  expect(await complaints(file)).toEqual({ scheduledSync: noSchedule })
  expect(portal.store.collaborations.size).toBe(0)
  await expectUseful(portal, folder, file)
})

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  server.kill()
  await once(server, 'exit')
}

describe('the static lists', () => {
  const kindsInOrder = {
    collaboration: 'collaborationId',
    group: 'groupId',
    federation: 'federationId',
  } as const

  /** What somebody made by hand on that portal, as variables. */
  async function madeByHand({ configuration: { target, portals, actors, fixtures } }: EmbeddedPortal) {
    const make = async (kind: string, options: object = {}) => {
      const answer = await fetch(`${fixtures.url}/${kind}`, { method: 'POST', body: JSON.stringify(options) })
      return (await answer.json()) as Record<string, string> & { itemIds: string[] }
    }
    const id = async (kind: keyof typeof kindsInOrder) => (await make(kind))[kindsInOrder[kind]] as string
    const { itemIds } = await make('items', { owner: 'itemOwner', count: 5 })
    return {
      BASE_URL: target.baseUrl,
      HOST_PORTAL: portals.host.id,
      GUEST_PORTAL: portals.guest.id,
      HOST_ADMINISTRATOR_TOKEN: actors.organizationAdministrator.credential,
      GUEST_ADMINISTRATOR_TOKEN: actors.guestAdministrator.credential,
      ITEM_OWNER_TOKEN: actors.itemOwner.credential,
      ITEM_OWNER: actors.itemOwner.username,
      SPARE_COLLABORATION_1: await id('collaboration'),
      SPARE_COLLABORATION_2: await id('collaboration'),
      COLLABORATION: await id('collaboration'),
      GROUP: await id('group'),
      ...Object.fromEntries(itemIds.map((item, at) => [`ITEM_${at + 1}`, item])),
      RECEIVER_1: (await make('eligibleUser')).username,
      RECEIVER_2: (await make('eligibleUser')).username,
      NO_RECEIVER: (await make('ineligibleUser')).username,
      FEDERATION: await id('federation'),
    }
  }

  test('serve what stands in them, and a run with them finds nothing wrong', async () => {
    const portal = await served()
    const environment = await madeByHand(portal)
    const folder = folderWith('static.yaml')
    const file = join(folder, 'static.yaml')
    const told = await complaints(file, environment)
    expect(Object.keys(told)).toEqual(['collaboration', 'workspace', 'scheduledSync', 'taskRun', 'cleanup'])
    expect(Object.values(told).filter((line) => line.startsWith('failed'))).toEqual([])
    const kept = ['--requirement', 'update-participant/*', '--requirement', 'update-federation/*']
    const { results } = await judged(folder, file, kept, environment)
    expect(results.totals).toMatchObject({ failed: 0, inconclusive: 0 })
    expect(results.totals.passed).toBeGreaterThan(10)
    // Nothing of what was made by hand is gone.
    expect(portal.store.collaborations.size).toBe(3)
  })
})
