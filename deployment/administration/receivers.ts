/** Users who can receive items, and users who cannot. */
import type { FixtureAnswers, NotOffered } from '../fixtures/fixture-kinds.ts'
import { type Administrator, below, ifRefused } from './administrator.ts'
import { receivers } from './announcement.ts'
import type { People } from './people.ts'

export type Receiver = keyof typeof receivers

export const receiverKinds = Object.keys(receivers) as Receiver[]

export class Receivers {
  readonly #people: People
  readonly #usernames: Record<Receiver, string[]> = { eligibleUser: [], ineligibleUser: [] }
  /** Why there are none of a kind. */
  readonly #lacking: Partial<Record<Receiver, string>> = {}

  constructor(people: People) {
    this.#people = people
  }

  async add(kind: Receiver): Promise<void> {
    await ifRefused(
      this.#people.add(kind).then(({ username = '' }) => void this.#usernames[kind].push(username)),
      ({ message }) => {
        this.#lacking[kind] = message
      },
    )
  }

  /** All of a kind but the first, if there is a first one. */
  async addOthers(kind: Receiver): Promise<void> {
    if (this.#usernames[kind].length === 0) return
    await Promise.all(Array.from({ length: receivers[kind] - 1 }, () => this.add(kind)))
  }

  /** Those of a kind take turns. */
  next(kind: Receiver): { username: string } | NotOffered {
    const usernames = this.#usernames[kind]
    const username = usernames.shift()
    if (username === undefined) return { notOffered: this.#lacking[kind] ?? 'no user was made' }
    usernames.push(username)
    return { username }
  }

  /** Drops the users of a kind if the deployment says that they are not what they were made for. */
  async verify(by: Administrator, items: FixtureAnswers['items']): Promise<void> {
    // A deployment that does not even say it of an administrator says nothing of others.
    if ((await mayReceive(by, items, by.actor.username)) !== true) return
    for (const kind of receiverKinds) {
      const may = await mayReceive(by, items, this.#usernames[kind][0])
      if (may === undefined || may === (kind === 'eligibleUser')) continue
      this.#usernames[kind] = []
      this.#lacking[kind] =
        `canReassignItems says that users with the privileges of ${kind === 'eligibleUser' ? 'receivers cannot' : 'others can'} receive items here`
    }
  }
}

/** Whether the deployment says that the user may receive the items. Undefined: it does not say. */
async function mayReceive(
  by: Administrator,
  { owner, itemIds }: FixtureAnswers['items'],
  targetUsername: string | undefined,
): Promise<boolean | undefined> {
  if (targetUsername === undefined) return undefined
  const path = below('/content/users', owner, 'canReassignItems')
  const said = await ifRefused(
    by.performAgain(path, { items: itemIds.join(','), targetUsername }),
    ({ code }) => code,
  )
  if (typeof said !== 'object') return said === 403 ? false : undefined
  const { success, results } = said
  // The page does not show the answer; a public script reads results.
  if (!Array.isArray(results)) return success === true ? true : undefined
  return results.every((each) => (each as { success?: unknown } | null)?.success === true)
}
