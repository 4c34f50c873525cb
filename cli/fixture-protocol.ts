/** Asks a fixture provider for what it should refuse: a kind that there is not, and options that make no sense. */
import { Agent, type Dispatcher, request } from 'undici'
import type { HttpSettings } from '../target/configuration/configuration.ts'
import { type FixtureKind, runHeader } from '../target/fixtures/fixture-kinds.ts'
import { providerConnections } from '../target/http/dispatcher.ts'
import type { FixtureFinding } from './fixture-conformance.ts'

interface Refusable {
  readonly kind: string
  readonly body: string
  readonly called: string
  /** Asked only where the provider offers it. */
  readonly ofKind?: FixtureKind
}

const refusable: readonly Refusable[] = [
  { kind: 'noSuchKind', body: '{}', called: 'a kind that there is not' },
  { kind: 'items', body: '{', called: 'what is asked for without JSON', ofKind: 'items' },
  { kind: 'items', body: '{"owner":"itemOwner","count":0}', called: 'a list of 0 items', ofKind: 'items' },
  { kind: 'items', body: '{"owner":"noSuchActor","count":1}', called: 'an item of nobody', ofKind: 'items' },
  {
    kind: 'workspace',
    body: '{"collaborationId":"no-such-collaboration"}',
    called: 'a workspace of no collaboration',
    ofKind: 'workspace',
  },
]

const answerMs = 30_000

/** The suite asks for none of it, so that a provider that hands something out is warned of, not broken. */
export async function askWrongly(
  url: string,
  offered: readonly FixtureKind[],
  { runId, http }: { readonly runId: string; readonly http?: HttpSettings },
): Promise<FixtureFinding> {
  const asked = refusable.filter(({ ofKind }) => ofKind === undefined || offered.includes(ofKind))
  const limits = { maxResponseSize: 1024 * 1024 }
  const connections = http === undefined ? new Agent(limits) : providerConnections(http, url, limits)
  const problems: string[] = []
  try {
    for (const wish of asked) {
      const status = await statusOf(url, wish, runId, connections)
      if (typeof status === 'string') problems.push(`${wish.called}: ${status}`)
      else if (wish.ofKind === undefined && status !== 404)
        problems.push(
          `${wish.called} was answered with HTTP ${status}, where 404 says that it is not offered`,
        )
      else if (status >= 200 && status <= 299)
        problems.push(
          `${wish.called} was handed out with HTTP ${status}, where a refusal lets mistakes be seen`,
        )
    }
  } finally {
    await connections.destroy()
  }
  if (problems.length > 0) return { kind: 'protocol', outcome: 'warned', detail: problems.join('; ') }
  return { kind: 'protocol', outcome: 'passed', detail: 'unknown kinds and wrong options are refused' }
}

async function statusOf(
  url: string,
  { kind, body }: Refusable,
  runId: string,
  dispatcher: Dispatcher,
): Promise<number | string> {
  try {
    const answer = await request(`${url}/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [runHeader]: runId },
      body,
      dispatcher,
      signal: AbortSignal.timeout(answerMs),
    })
    await answer.body.dump()
    return answer.statusCode
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    return `no answer (${code ?? name})`
  }
}
