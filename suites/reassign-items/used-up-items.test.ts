/** A list of fixtures whose items an earlier run gave away draws no finding. */
import { expect, it } from 'vitest'
import { runConformance } from '../../cli/api.ts'
import { startPortal } from '../../reference/portal.ts'

it('is no finding that the target has items which an earlier run may have given', async () => {
  const portal = await startPortal()
  try {
    const { configuration } = portal
    // biome-ignore lint/suspicious/noExplicitAny: the answers of the provider, by kind
    const ask = async (kind: string, options: object = {}): Promise<any> =>
      (
        await fetch(`${configuration.fixtures.url}/${kind}`, {
          method: 'POST',
          body: JSON.stringify(options),
        })
      ).json()
    const eligibleUser = [await ask('eligibleUser'), await ask('eligibleUser')]
    const owners = ['itemOwner', 'itemOwnerUnprivileged']
    const items = await Promise.all(owners.map((owner) => ask('items', { owner, count: 20 })))
    const [, { owner, itemIds }] = items
    const given = await fetch(`${configuration.target.baseUrl}/content/users/${owner}/reassignItems`, {
      method: 'POST',
      body: new URLSearchParams({
        items: itemIds.join(','),
        targetUsername: eligibleUser[0].username,
        token: configuration.actors.contentAdministrator.credential,
        f: 'json',
      }),
    })
    expect(await given.json()).toMatchObject({ success: true })
    const { requirements } = await runConformance({
      configuration: { ...configuration, fixtures: { static: { items, eligibleUser } } },
      requirements: ['reassign-items/not-their-item'],
      seed: 1,
      runs: 10,
    })
    const [judged] = requirements.flatMap(({ checks }) =>
      checks.filter(({ outcome }) => outcome !== 'not-tested'),
    )
    expect(judged).toMatchObject({ outcome: 'inconclusive', reason: /list items that were never given away/ })
  } finally {
    await portal.close()
  }
})
