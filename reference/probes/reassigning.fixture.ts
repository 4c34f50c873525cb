/** Probes of reassign-items. */
import type { RequirementId } from '../../specs/requirements.ts'
import type { Caller, Driver } from '../portal.fixture.ts'
import type { ActorName } from '../users.ts'
import { answers, madeUp, type Probe, refuses, send, valid, without } from './probe.fixture.ts'

const operation = 'reassign-items'

const give = (
  to: Driver,
  caller: Caller,
  owner: unknown,
  ids: readonly string[],
  target: unknown,
  folder?: string,
) =>
  to.post(caller, `/content/users/${owner}/reassignItems`, {
    items: ids.join(','),
    targetUsername: String(target),
    ...(folder === undefined ? {} : { targetFoldername: folder }),
  })

const itemsOf = async (to: Driver, actor: ActorName, count: number) =>
  (await to.fixture('items', { owner: actor, count })) as unknown as { owner: string; itemIds: string[] }

const receiver = async (to: Driver) => (await to.fixture('eligibleUser')).username

/** The owner still has the items: an administrator can give them away under his path. */
const stillWith = async (to: Driver, owner: string, ids: readonly string[]) =>
  (await give(to, 'contentAdministrator', owner, ids, await receiver(to))).accepted

const allows = (requirement: RequirementId, caller: ActorName): Probe => ({
  requirement,
  async holds(to) {
    const { owner, itemIds } = await itemsOf(to, 'itemOwner', 1)
    return (await give(to, caller, owner, itemIds, await receiver(to))).accepted
  },
})

const forbids = (requirement: RequirementId, caller: Caller, of: ActorName): Probe => ({
  requirement,
  async holds(to) {
    const { owner, itemIds } = await itemsOf(to, of, 1)
    if ((await give(to, caller, owner, itemIds, await receiver(to))).accepted) return false
    return stillWith(to, owner, itemIds)
  },
})

const takes = (requirement: RequirementId, count: number): Probe => ({
  requirement,
  async holds(to) {
    const { owner, itemIds } = await itemsOf(to, 'itemOwner', count)
    return (await give(to, 'contentAdministrator', owner, itemIds, await receiver(to))).accepted
  },
})

/** A probe of the error that a request for an ineligible target gets. */
const error = (
  requirement: RequirementId,
  // biome-ignore lint/suspicious/noExplicitAny: an error of any shape
  fits: (error: any, asked: { owner: string; itemIds: string[] }) => boolean,
): Probe => ({
  requirement,
  async holds(to) {
    const asked = await itemsOf(to, 'itemOwner', 3)
    const { username } = await to.fixture('ineligibleUser')
    const { json } = await give(to, 'contentAdministrator', asked.owner, asked.itemIds, username)
    return json.error === undefined
      ? requirement !== 'reassign-items/ineligible-target' && undefined
      : fits(json.error, asked)
  },
})

const isText = (value: unknown) => typeof value === 'string'

export const reassignProbes: readonly Probe[] = [
  answers('reassign-items/reassigns', operation, ({ itemId }) => typeof itemId === 'string'),
  refuses('reassign-items/items-required', operation, without('items')),
  refuses('reassign-items/target-required', operation, without('targetUsername')),
  answers('reassign-items/folder-optional', operation, () => true),
  {
    requirement: 'reassign-items/folder-created',
    async holds(to) {
      const { owner, itemIds } = await itemsOf(to, 'itemOwner', 2)
      const target = await receiver(to)
      const one = async (id: string) =>
        (await give(to, 'contentAdministrator', owner, [id], target, 'Fresh')).accepted
      return (await one(itemIds[0] as string)) && (await one(itemIds[1] as string))
    },
  },
  takes('reassign-items/items-limit-accepts', 1),
  takes('reassign-items/items-limit-accepts', 100),
  ...[101, 150].map(
    (count): Probe => ({
      requirement: 'reassign-items/items-limit-rejects',
      async holds(to) {
        const { owner, itemIds } = await itemsOf(to, 'itemOwner', count)
        if ((await give(to, 'contentAdministrator', owner, itemIds, await receiver(to))).accepted)
          return false
        return stillWith(to, owner, itemIds.slice(0, 90))
      },
    }),
  ),
  error('reassign-items/ineligible-target', ({ code }) => code === 403),
  error(
    'reassign-items/error-shape',
    ({ code, messageCode, message, details }) =>
      Number.isInteger(code) && isText(messageCode) && isText(message) && Array.isArray(details),
  ),
  error('reassign-items/error-details-fields', ({ details }) =>
    details.every(
      // biome-ignore lint/suspicious/noExplicitAny: an entry of any shape
      ({ itemId, type, url, owner, reservedTypeKeywords }: any) =>
        [itemId, type, url, owner].every(isText) &&
        Array.isArray(reservedTypeKeywords) &&
        reservedTypeKeywords.every(isText),
    ),
  ),
  error('reassign-items/error-details-items', ({ details }, { itemIds }) => {
    const named = details.map(({ itemId }: { itemId: string }) => itemId)
    return named.toSorted().join() === itemIds.toSorted().join()
  }),
  error('reassign-items/error-details-owner', ({ details }, asked) =>
    details.every(({ owner }: { owner: string }) => owner === asked.owner),
  ),
  {
    requirement: 'reassign-items/ineligible-target-keeps-owner',
    async holds(to) {
      const { owner, itemIds } = await itemsOf(to, 'itemOwner', 2)
      const { username } = await to.fixture('ineligibleUser')
      const { accepted } = await give(to, 'itemOwner', owner, itemIds, username)
      if (accepted) return undefined
      return (await give(to, 'itemOwner', owner, itemIds, await receiver(to))).accepted
    },
  },
  {
    requirement: 'reassign-items/ownership-moves',
    async holds(to) {
      const { owner, itemIds } = await itemsOf(to, 'itemOwner', 2)
      const target = await receiver(to)
      if (!(await give(to, 'contentAdministrator', owner, itemIds, target)).accepted) return undefined
      return !(await stillWith(to, owner, itemIds)) && (await stillWith(to, String(target), itemIds))
    },
  },
  allows('reassign-items/allows-default-administrator', 'contentAdministrator'),
  allows('reassign-items/allows-custom-administrator', 'customAdministrator'),
  allows('reassign-items/allows-owner', 'itemOwner'),
  forbids('reassign-items/refuses-owner-without-privilege', 'itemOwnerUnprivileged', 'itemOwnerUnprivileged'),
  forbids('reassign-items/refuses-other-user', 'outsider', 'itemOwner'),
  forbids('reassign-items/refuses-anonymous', null, 'itemOwner'),
  forbids('reassign-items/refuses-invalid-credential', madeUp, 'itemOwner'),
  {
    requirement: 'reassign-items/unknown-target',
    async holds(to) {
      const { owner, itemIds } = await itemsOf(to, 'itemOwner', 1)
      if ((await give(to, 'contentAdministrator', owner, itemIds, 'nobody_at_all')).accepted) return false
      return stillWith(to, owner, itemIds)
    },
  },
  {
    requirement: 'reassign-items/not-their-item',
    async holds(to) {
      const { itemIds } = await itemsOf(to, 'itemOwner', 1)
      const { owner } = await itemsOf(to, 'itemOwnerUnprivileged', 1)
      return !(await stillWith(to, owner, itemIds))
    },
  },
  {
    requirement: 'reassign-items/concurrent-one-wins',
    async holds(to) {
      const request = await valid[operation](to)
      const targets = await Promise.all([receiver(to), receiver(to)])
      const racers = targets.map((target) =>
        send(to, { ...request, form: { ...request.form, targetUsername: String(target) } }),
      )
      return (await Promise.all(racers)).filter(({ accepted }) => accepted).length < 2
    },
  },
]
