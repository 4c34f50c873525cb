import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import type { OutgoingRequest } from '../deployment/http/outgoing-request.ts'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import { belongsTo } from '../runner/plan.ts'
import { runCheck } from '../runner/run-check.ts'
import { inputOf } from '../runner/run-input.ts'
import { Session } from '../runner/session.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

/** Files of checks whose number of requests depends on timing. */
const timed = new Set(['sync-workspace/sync-timing', 'sync-workspace/sync-overlap'])
/** Checks that send more where a sync was refused. */
const everyTime = [':every-time', ':host-administrator']

/** A request without the ids that the portal has given, in its path and in its fields. */
function withoutIds({ path, fields, style, credential, method = 'POST' }: OutgoingRequest): string {
  return (
    JSON.stringify([method, path, fields, style, credential === undefined])
      .replace(/(?<![0-9a-z])(?:[0-9a-f]{4}){7,9}(?![0-9a-z])/g, 'ID')
      .replace(/(?<=[/"])[A-Za-z0-9]{16}(?=[/"])/g, 'ID')
      .replace(/(?<=\/(?:federation|participants)\/)[A-Za-z0-9]{12,20}(?=[/"])/g, 'ID')
      .replace(/(?<="targetUsername",")[^"]*/g, 'USER')
      .replace(/(receiver|bystander)_\w+/g, 'USER')
      // The marks in the values of a federation are made from its id.
      .replace(/(?<="name",(?:"|"[^"]* ))[b-df-hj-np-tv-z]{9}(?=[ "-])/g, 'MARK')
      .replace(/(?<="entityId","[^"]*[/:])[b-df-hj-np-tv-z]{9}(?=")/g, 'MARK')
      // The owner of shared items depends on the checks before.
      .replace(/(?<=\/users\/)[^/"]+/g, 'USER')
  )
}

/** The number of retries of a sync while another one runs depends on timing. */
const isNoRepeat = (request: string, at: number, sorted: readonly string[]): boolean =>
  !request.includes('/sync"') || request !== sorted[at - 1]

/** The requests of each check, sorted, because cases run in parallel. */
async function requestsOf(
  configuration: Configuration,
  ids?: readonly string[],
): Promise<Map<string, string[]>> {
  const session = new Session(inputOf(configuration, 'same'))
  const running = new AsyncLocalStorage<string>()
  const sent = new Map<string, string[]>()
  const { client } = session.channel
  const send = client.send.bind(client)
  client.send = (request) => {
    const check = running.getStore() as string
    sent.set(check, [...(sent.get(check) ?? []), withoutIds(request)])
    return send(request)
  }
  const checks = (await declaredChecks()).filter(
    (check) =>
      belongsTo(check, configuration) &&
      !timed.has(check.file ?? '') &&
      !everyTime.some((ending) => check.id.endsWith(ending)),
  )
  const chosen = checks.filter(({ id }) => ids === undefined || ids.includes(id))
  await Promise.all(
    chosen.map((definition) => running.run(definition.id, () => runCheck(definition, session))),
  )
  await session.close()
  return new Map([...sent].map(([check, requests]) => [check, requests.sort().filter(isNoRepeat)]))
}

const portals: EmbeddedPortal[] = []
afterAll(() => Promise.all(portals.map((portal) => portal.close())))

async function configurationWith(seed: number): Promise<Configuration> {
  const portal = await startPortal()
  portals.push(portal)
  return loadConfiguration(
    { value: portal.configuration, name: 'the embedded portal' },
    { seed, runs: 8 },
    {},
  )
}

describe('a run with the same seed', () => {
  let together: Map<string, string[]>
  beforeAll(async () => {
    together = await requestsOf(await configurationWith(5))
  })

  it('sends the same requests in each check, byte for byte except for ids of the target', async () => {
    const again = await requestsOf(await configurationWith(5))
    expect(together.size).toBeGreaterThan(100)
    expect([...again.keys()].sort()).toEqual([...together.keys()].sort())
    const differ = [...together.keys()].filter(
      (check) => !isDeepStrictEqual(again.get(check), together.get(check)),
    )
    // On a busy machine, a check may retry and draw further values. Then two of three runs must agree.
    const third = differ.length === 0 ? again : await requestsOf(await configurationWith(5))
    for (const check of differ)
      expect([together.get(check), again.get(check)], check).toContainEqual(third.get(check))
  })

  it.each(['add-workspace/name-kept', 'update-task-run/result-text', 'lifecycle/consistent'])(
    'sends the same requests in a check that runs alone: %s',
    async (check) => {
      const requests = await requestsOf(await configurationWith(5), [check])
      expect(requests.get(check)).toEqual(together.get(check))
    },
  )

  it('sends other requests than a run with another seed', async () => {
    const check = 'add-workspace/name-kept'
    const other = await requestsOf(await configurationWith(8), [check])
    expect(other.get(check)?.length).toBeGreaterThan(10)
    expect(other.get(check)).not.toEqual(together.get(check))
  })
})
