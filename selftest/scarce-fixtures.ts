/** Providers of fixtures that hand out little, or fail now and then. */
import type { Configuration } from '../deployment/configuration/configuration.ts'
import {
  type FixtureKind,
  FixtureNotOffered,
  type FixtureProvider,
  fixtureKinds,
} from '../deployment/fixtures/fixture-kinds.ts'
import { staticFixtures } from '../deployment/fixtures/static-fixtures.ts'

/** `pool`: so many of each kind, written down in a list; `failing`: one answer in so many is an error. */
export type Scarcity = { readonly pool: number } | { readonly failing: number }

const owners = ['itemOwner', 'itemOwnerUnprivileged', 'contentAdministrator'] as const
const itemsInEntry = 4

/**
 * Providers that hand out only so many of what another one, at that address, hands out without end. Each of them begins
 * with the whole list, as each run does with the list of its configuration.
 */
export async function scarceProviders(
  scarcity: Scarcity,
  url: string,
  { actors }: Pick<Configuration, 'actors'>,
  random: () => number,
): Promise<() => FixtureProvider> {
  if ('failing' in scarcity) return () => failing(url, scarcity.failing, random)
  const lists: Partial<Record<FixtureKind, Record<string, unknown>[]>> = {}
  for (const kind of fixtureKinds) {
    // The syncs of a list would be over before anybody asks for them.
    if (kind === 'scheduledSync') continue
    const options = kind === 'items' ? owners.map((owner) => ({ owner, count: itemsInEntry })) : [{}]
    const entries = Array.from({ length: scarcity.pool }, () => options).flat()
    try {
      const list: Record<string, unknown>[] = []
      for (const each of entries) list.push((await ask(url, kind, each)) as Record<string, unknown>)
      lists[kind] = list
    } catch (error) {
      if (!(error instanceof FixtureNotOffered)) throw error
    }
  }
  return () => staticFixtures(lists as Parameters<typeof staticFixtures>[0], actors) as FixtureProvider
}

function failing(url: string, oneIn: number, random: () => number): FixtureProvider {
  const provide = (kind: FixtureKind) => async (options: object) => {
    if (random() * oneIn < 1) throw new Error('out of order, as it is now and then')
    return ask(url, kind, options)
  }
  return Object.fromEntries(fixtureKinds.map((kind) => [kind, provide(kind)])) as FixtureProvider
}

async function ask(url: string, kind: FixtureKind, options: object): Promise<unknown> {
  const answer = await fetch(`${url}/${kind}`, { method: 'POST', body: JSON.stringify(options) })
  if (answer.status === 404) throw new FixtureNotOffered(kind, `no fixture "${kind}" is offered`)
  if (!answer.ok) throw new Error(`the provider answered HTTP ${answer.status} to ${kind}`)
  return answer.json()
}
