import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { FixtureSource } from './configuration.ts'
import { FixtureClient } from './fixture-client.ts'
import { FixtureFailure, FixtureNotOffered } from './fixture-errors.ts'
import type { FixtureProvider } from './fixture-kinds.ts'
import { serveFixtures } from './fixture-server.ts'
import { openFixtures } from './fixture-sources.ts'
import { answerJson, received, serve } from './server.fixture.ts'

async function clientOf(provider: FixtureProvider): Promise<FixtureClient> {
  const { url, close } = await serveFixtures(provider)
  onTestFinished(close)
  return new FixtureClient(url)
}

async function clientOfSource(source: FixtureSource): Promise<FixtureClient> {
  const actors = { itemOwner: { credential: 'x', username: 'alice', portal: 'host' as const } }
  const { url, close } = await openFixtures(source, actors)
  onTestFinished(close)
  return new FixtureClient(url)
}

test('a provider is asked over HTTP with the options, and cleaned up at the end', async () => {
  const calls: unknown[] = []
  const client = await clientOf({
    items: (options) => {
      calls.push(options)
      return { owner: 'alice', itemIds: ['a', 'b'] }
    },
    cleanup: () => calls.push('cleanup'),
  })
  expect(await client.obtain('items', { owner: 'itemOwner', count: 2 })).toEqual({
    owner: 'alice',
    itemIds: ['a', 'b'],
  })
  await client.cleanup()
  expect(calls).toEqual([{ owner: 'itemOwner', count: 2 }, 'cleanup'])
})

test('what is not offered is told apart from what fails', async () => {
  const client = await clientOf({
    federation: () => {
      throw new Error('the portal is down')
    },
    group: () => {
      throw new FixtureNotOffered('group', 'no group is left')
    },
  })
  await expect(client.obtain('taskRun', {})).rejects.toThrow(
    new FixtureNotOffered(
      'taskRun',
      'no fixture "taskRun": the provider does not offer it; add POST /taskRun to it, or fixtures.static.taskRun',
    ),
  )
  await expect(client.obtain('group', {})).rejects.toThrow(
    new FixtureNotOffered('group', 'no fixture "group": no group is left'),
  )
  await expect(client.obtain('federation', {})).rejects.toThrow(
    new FixtureFailure('fixture "federation" {}: the provider answered HTTP 500: the portal is down'),
  )
  await client.cleanup()
})

test('without a provider nothing is offered', async () => {
  const { url, cleanup, close } = await openFixtures(undefined)
  await expect(new FixtureClient(url).obtain('group', {})).rejects.toThrow(
    new FixtureNotOffered(
      'group',
      'no fixture "group": no provider is configured; add fixtures to the configuration: a url, a module, a command or static lists',
    ),
  )
  await cleanup()
  await close()
})

test.each<[unknown, string]>([
  [{ owner: 'alice' }, 'itemIds is missing: a list of distinct texts that are not empty expected'],
  [{ owner: '', itemIds: ['a', 'b'] }, 'owner: a text that is not empty expected'],
  [{ owner: 'alice', itemIds: [] }, 'itemIds: a list of distinct texts that are not empty expected'],
  [{ owner: 'alice', itemIds: ['a', 'a'] }, 'itemIds: a list of distinct texts that are not empty expected'],
  [{ owner: 'alice', itemIds: ['a', 1] }, 'itemIds: a list of distinct texts that are not empty expected'],
  [{ owner: 'alice', itemIds: ['a'] }, 'itemIds: 2 ids expected, 1 found'],
  [[], 'a JSON object expected'],
  [undefined, 'a JSON object expected'],
])('items that are none: %j', async (answer, wrong) => {
  const client = await clientOf({ items: () => answer as never })
  const failure = client.obtain('items', { owner: 'itemOwner', count: 2 })
  await expect(failure).rejects.toThrow(
    new FixtureFailure(
      `fixture "items" {"owner":"itemOwner","count":2}: ${wrong}; the provider answered ${JSON.stringify(answer ?? null)}`,
    ),
  )
})

test.each<[unknown, string]>([
  [{ collaborationId: 'c2', workspaceId: 'w', minimumSyncMs: 0 }, 'another collaboration'],
  [{ collaborationId: 'c1', workspaceId: 'w', minimumSyncMs: '5' }, 'minimumSyncMs: a number'],
  [{ collaborationId: 'c1', workspaceId: 'w', minimumSyncMs: 5, maximumSyncMs: 4 }, 'maximumSyncMs: no less'],
  [
    { collaborationId: 'c1', workspaceId: 'w', minimumSyncMs: 5, maximumSyncMs: null },
    'maximumSyncMs: a number',
  ],
])('a workspace that is none: %j', async (answer, wrong) => {
  const client = await clientOf({ workspace: () => answer as never })
  await expect(client.obtain('workspace', { collaborationId: 'c1' })).rejects.toThrow(wrong)
})

test('a provider that does not answer, answers without end, no JSON, or is not there', async () => {
  const silent = new FixtureClient(await serve(() => undefined), { timeoutMs: 50 })
  await expect(silent.obtain('group', {})).rejects.toThrow('did not answer within 50ms')
  const endless = await serve((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  await expect(new FixtureClient(endless).obtain('group', {})).rejects.toThrow('larger than 1048576 bytes')
  const html = await serve((_, response) => response.end(`<html>\n${'long '.repeat(100)}`))
  await expect(new FixtureClient(html).obtain('group', {})).rejects.toThrow(
    /^fixture "group" \{\}: a JSON object expected; the provider answered <html> long .{0,200}…$/,
  )
  await expect(new FixtureClient('http://127.0.0.1:1').obtain('group', {})).rejects.toThrow(
    'the provider at http://127.0.0.1:1 cannot be reached or broke off (ECONNREFUSED)',
  )
})

test('an abort ends what is asked, but not the cleanup', async () => {
  let cleaned = 0
  const url = await serve((incoming, response) => {
    if (incoming.url !== '/base/cleanup') return
    cleaned += 1
    answerJson(response, {})
  })
  const abort = new AbortController()
  const client = new FixtureClient(`${url}/base/`, { signal: abort.signal })
  const asked = client.obtain('group', {})
  abort.abort()
  await expect(asked).rejects.toThrow(new FixtureFailure('fixture "group" {}: interrupted'))
  await client.cleanup()
  expect(cleaned).toBe(1)
})

test('a cleanup that is not offered is none; one that fails is an error', async () => {
  const none = await serve((_, response) => response.writeHead(404).end())
  await new FixtureClient(none).cleanup()
  const failing = await serve((_, response) => response.writeHead(500).end('oops'))
  await expect(new FixtureClient(failing).cleanup()).rejects.toThrow(
    new FixtureFailure('fixture cleanup: the provider answered HTTP 500: oops'),
  )
})

test('a served provider answers under its own path only', async () => {
  const { url, close } = await serveFixtures({ group: () => ({ groupId: 'g' }) })
  onTestFinished(close)
  const post = { method: 'POST', body: '{}' }
  expect((await fetch(`${url}/group`, post)).status).toBe(200)
  expect((await fetch(`${new URL(url).origin}/group`, post)).status).toBe(404)
  expect((await fetch(`${url}/group`)).status).toBe(405)
  expect((await fetch(`${url}/group`, { method: 'POST', body: '{' })).status).toBe(500)
  expect((await fetch(`${url}/constructor`, post)).status).toBe(404)
})

test('a url is taken as it is', async () => {
  const url = await serve(async (incoming, response) => {
    answerJson(response, { groupId: `${incoming.url} ${await received(incoming)}` })
  })
  const client = await clientOfSource({ url })
  expect(await client.obtain('group', {})).toEqual({ groupId: '/group {}' })
})

test('a module is imported and served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'))
  const module = join(folder, 'fixtures.mjs')
  writeFileSync(module, 'export const federation = async () => ({ federationId: "f" })')
  const client = await clientOfSource({ module })
  expect(await client.obtain('federation', {})).toEqual({ federationId: 'f' })
  const empty = join(folder, 'empty.mjs')
  writeFileSync(empty, 'export const federations = 1')
  await expect(openFixtures({ module: empty })).rejects.toThrow(
    /empty\.mjs exports none of the functions .*collaboration/,
  )
  const broken = join(folder, 'broken.mjs')
  writeFileSync(broken, 'throw new Error("no portal")')
  await expect(openFixtures({ module: broken })).rejects.toThrow(/broken\.mjs cannot be loaded: no portal$/)
})

test('no more than 8 fixtures are asked for at once', async () => {
  let [now, most] = [0, 0]
  const client = await clientOf({
    group: async () => {
      now += 1
      most = Math.max(most, now)
      await sleep(5)
      now -= 1
      return { groupId: 'g' }
    },
  })
  await Promise.all(Array.from({ length: 40 }, () => client.obtain('group', {})))
  expect(most).toBe(8)
})
