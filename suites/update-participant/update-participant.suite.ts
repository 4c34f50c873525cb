/** §4.5 Update participant information. */

import { inDomain, ordinaryContacts } from '../../runner/cases/realistic.ts'
import { suite } from '../../runner/check.ts'
import { inTurn } from '../../runner/context/unknown.ts'

const check = suite({ actors: ['hostAdministrator'], fixtures: ['participant'] })

const updates = {
  probe:
    'a plain contact, then generated first names, last names and e-mail addresses: accepted, with collaborationId and portalId as strings',
}
check('update-participant/updates', updates, async ({ as, given, forAll, expect, configuration }) => {
  const at = await given.participant()
  const plain = {
    contactFirstname: 'Anna',
    contactLastname: 'Berg',
    contactEmailAddress: inDomain('anna@example.com', configuration.contract.domain),
  }
  const answer = await as.hostAdministrator('update-participant', at, plain)
  expect(answer).toBeAccepted()
  await forAll(
    given.requests('update-participant', { fixed: plain }),
    async (request, number) => {
      // Whether an update must change something is open.
      const other = { ...request, contactFirstname: number % 2 === 0 ? 'Eva' : 'Anna' }
      const again = await as.hostAdministrator('update-participant', at, other)
      expect(again).toBeAccepted()
      expect(again).toKeep('update-participant/updates')
    },
    { cases: 'few' },
  )
})

const identifiers = {
  probe: 'two participants at the same moment: collaborationId and portalId are those of the path',
}
check('update-participant/identifiers', identifiers, async ({ as, given, forAll, control, expect }) => {
  const at = await given.participant()
  await forAll(
    given.requests('update-participant', { text: 'ordinary' }),
    async (request) => {
      const answer = await as.hostAdministrator('update-participant', at, request)
      control(answer, 'a generated valid request')
      expect(answer).toKeep('update-participant/identifiers')
    },
    { cases: 'few' },
  )
})

check(
  'update-participant/identifiers:together',
  {
    title:
      'Each of two answers at the same moment names the collaboration and the participant of its own path.',
  },
  async ({ as, given, forAll, control, expect }) => {
    const participants = await given.different('participant', 2)
    await forAll(
      given.requests('update-participant', { text: 'ordinary' }),
      async (request) => {
        // At the same moment, so that what one request leaves in a shared place shows in the answer to the other.
        const answers = await Promise.all(
          participants.map((at) => as.hostAdministrator('update-participant', at, request)),
        )
        for (const answer of answers) {
          control(answer, 'a generated valid request')
          expect(answer).toKeep('update-participant/identifiers')
        }
      },
      { cases: 'some' },
    )
  },
)

const contact = {
  probe:
    'generated first names, last names and e-mail addresses in any script, plus-addressing among them: accepted',
}
check('update-participant/contact-text', contact, async ({ as, given, forAll, expect, configuration }) => {
  const at = await given.participant()
  await forAll(
    given.requests('update-participant'),
    async (request) => {
      const answer = await as.hostAdministrator('update-participant', at, request)
      expect(answer).toBeAccepted(JSON.stringify(request))
    },
    { cases: 'many', examples: ordinaryContacts(configuration.contract.domain) },
  )
})

check(
  'update-participant/contact-text:of-two',
  {
    whereThere: { fixtures: ['participantElsewhere'] },
    traits: ['further'],
    title: 'Participants of two collaborations may have the same contact person.',
  },
  async ({ as, given, expect }) => {
    const { collaborationId, participantPortalId, elsewhereId, elsewherePortalId } =
      await given.participantElsewhere()
    const request = await given.request('update-participant')
    for (const at of [
      { collaborationId, participantPortalId },
      { collaborationId: elsewhereId, participantPortalId: elsewherePortalId },
    ])
      expect(await as.hostAdministrator('update-participant', at, request)).toBeAccepted()
  },
)

for (const [id, what, part, other] of [
  ['update-participant/unknown-participant', 'participant', 'participantPortalId', 'collaborationId'],
  ['update-participant/unknown-collaboration', 'collaboration', 'collaborationId', 'participantPortalId'],
] as const) {
  const needs = {
    control: 'the request with the known id',
    probe: `the same request with the id of a ${what} that is not there, with the known one that ends otherwise, and with the other id of the path: refused`,
  }
  check(id, needs, async ({ as, given, forAll, control, expect }) => {
    const known = await given.participant()
    await forAll(
      given.requests('update-participant', { text: 'ordinary' }),
      async (request, number) => {
        const before = await as.hostAdministrator('update-participant', known, request)
        control(before)
        const others = [
          ...given.ids.alikeInPart(known[part]),
          ...given.ids.ofAnotherKind(part.replace(/Id$/, 'ID'), [known[other]]),
        ]
        // Each of them goes first once: right after what was accepted.
        for (const id of [...inTurn(others, number, 3), given.ids.nobodysLike(known[part])]) {
          const at = { ...known, [part]: id }
          const answer = await as.hostAdministrator('update-participant', at, request)
          expect(answer, before).toBeRefused(`an unknown ${part} was accepted: ${id}`)
        }
      },
      { cases: 'few' },
    )
  })
}

check(
  'update-participant/unknown-participant:elsewhere',
  {
    whereThere: { fixtures: ['participantElsewhere'] },
    title: 'A participant of another collaboration is unknown here.',
  },
  async (context) => {
    const { as, given, control, expect, inSituations } = context
    const { collaborationId, participantPortalId, elsewhereId, elsewherePortalId } =
      await given.participantElsewhere()
    const request = await given.request('update-participant')
    const update = (collaborationId: string, participantPortalId: string) =>
      as.hostAdministrator('update-participant', { collaborationId, participantPortalId }, request)
    const here = await update(collaborationId, participantPortalId)
    control(here, 'an update of the one that takes part here')
    const there = await update(elsewhereId, elsewherePortalId)
    control(there, 'an update of the other where it takes part')
    await inSituations(async () =>
      expect(await update(collaborationId, elsewherePortalId), here, there).toBeRefused(
        'a participant of another collaboration was updated',
      ),
    )
  },
)

const badEmail = {
  control: 'the request with an ordinary address',
  probe: 'the same request with addresses that have no at sign, two of them, no domain or no name: refused',
}
check('update-participant/bad-email', badEmail, async ({ as, given, control, expect }) => {
  const at = await given.participant()
  const request = await given.request('update-participant')
  const before = await as.hostAdministrator('update-participant', at, request)
  control(before)
  for (const contactEmailAddress of ['no address', 'two@@example.com', 'nobody@', '@example.com']) {
    const probe = { ...request, contactEmailAddress }
    const answer = await as.hostAdministrator('update-participant', at, probe)
    expect(answer, before).toKeep('update-participant/bad-email')
  }
  // Whether an update must change something is open.
  const other = { ...request, contactFirstname: 'Zoë' }
  control(await as.hostAdministrator('update-participant', at, other), 'a valid request after bad ones')
})
