/** A portal that is right, with a fixture provider that is not. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveMadeUpFixtures } from './configuration.ts'
import type { HostileTarget, RunningTarget } from './hostile-target.ts'
import { type Listening, portalBehindProxy, serve } from './servers.ts'

/** How long a run waits for a provider: once for fixtures, and once for it to clean up. */
const providerTimeoutMs = 30_000

/** Syncs, deletions and the refresh of guests are waited for, if in vain. */
const consequencesMs = 3000

async function withFixtures(provider: Promise<Listening>): Promise<RunningTarget> {
  const { origin, close } = await provider
  const target = await portalBehindProxy((answer) => answer, { fixtures: { url: origin } })
  return { ...target, close: async () => void (await Promise.all([target.close(), close()])) }
}

const providing = (answer: (request: IncomingMessage, response: ServerResponse) => void) => () =>
  withFixtures(serve(answer))

export const brokenFixtures: readonly HostileTarget[] = [
  {
    id: 'fixtures-fail',
    sentence: 'The fixture provider answers 500, with escapes in its message.',
    expect: { exitCode: 3, says: /the provider answered HTTP 500/, timeoutsMs: 0 },
    start: providing((_request, response) =>
      response.writeHead(500).end('out of order \u001b[2J\r\n<script>alert(1)</script>'),
    ),
  },
  {
    id: 'fixtures-without-ids',
    sentence: 'The fixture provider answers with objects in which the ids are missing.',
    expect: { exitCode: 3, says: /is missing: .* expected/, timeoutsMs: 0 },
    start: providing((_request, response) => response.end('{"success":true}')),
  },
  {
    id: 'fixtures-made-up',
    sentence: 'The fixture provider hands out ids that the portal has never seen.',
    expect: { exitCode: 3, says: /nothing in this run was accepted/, timeoutsMs: consequencesMs },
    start: () => withFixtures(serveMadeUpFixtures()),
  },
  {
    id: 'fixtures-hang',
    sentence: 'The fixture provider never answers.',
    expect: { exitCode: 3, says: /the provider did not answer within/, timeoutsMs: 2 * providerTimeoutMs },
    start: providing((request) => void request.resume()),
  },
]
