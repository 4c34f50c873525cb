import { describe, expect, it } from 'vitest'
import { define } from '../check.ts'
import type { CheckContext } from '../context/context.ts'
import { accepted, collaborations, participants, sessionOn } from '../run-check.fixture.ts'
import { runCheck } from '../run-check.ts'
import type { Session } from '../session.ts'
import { examineDoubts } from './flakiness.ts'

const refused = { error: { code: 400, message: 'no' } }
const ids = { collaborationId: 'p1', portalId: 'guest' }
const updated = { ...accepted, ...ids }

/** A target that answers updates of participants in that way, by the number of the update; and accepts deletes. */
const updating = (answer: (count: number) => object): Promise<Session> =>
  sessionOn({
    answers: { updateInfo: (count) => answer(count), delete: () => accepted },
    makes: { participant: participants, collaboration: collaborations },
  })

/** A check that comes to nothing where one of its controls is refused. */
const controlled = (controls: number) =>
  define(
    'update-participant/bad-email',
    {},
    { actors: ['hostAdministrator'], fixtures: ['participant'], also: ['delete-collaboration'] },
    async (declaring) => {
      const { as, given, control, expect } = declaring as CheckContext
      await as.hostAdministrator('delete-collaboration', { collaborationId: 'c1' })
      const at = await given.participant()
      const plain = await given.request('update-participant')
      for (let time = 0; time < controls; time += 1)
        control(await as.hostAdministrator('update-participant', at, plain))
      expect(await as.hostAdministrator('update-participant', at, {})).toBeAccepted()
    },
  )

async function foundOn(session: Session, controls = 4) {
  await runCheck(controlled(controls), session)
  await examineDoubts(session, new Set())
  return session.watch
    .results()
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ requirement, outcome, failure }) => [requirement, outcome, failure?.message])
}

const updates = 'update-participant/updates'

describe('plain requests at the end of a run', () => {
  it('are not sent where nothing was refused', async () => {
    expect(await foundOn(await updating(() => updated))).toEqual([])
  })

  it('show that an operation refuses now and then', async () => {
    expect(await foundOn(await updating((count) => (count % 3 === 0 ? refused : updated)))).toEqual([
      [
        updates,
        'failed',
        expect.stringMatching(/^plain valid requests are refused now and then: seen 2 of \d/),
      ],
    ])
  })

  it('show that an operation no longer works, while others do', async () => {
    expect(await foundOn(await updating((count) => (count > 3 ? refused : updated)))).toEqual([
      [updates, 'failed', expect.stringMatching(/^update-participant stopped working during the run: /)],
    ])
  })

  it('prove nothing where the operation never worked', async () => {
    expect(await foundOn(await updating(() => refused))).toEqual([])
  })

  it('prove nothing where one request alone was refused', async () => {
    expect(await foundOn(await updating((count) => (count === 3 ? refused : updated)))).toEqual([])
  })

  it('prove nothing where the target says that it is busy', async () => {
    const busy = { error: { code: 409, message: 'later' } }
    expect(await foundOn(await updating((count) => (count % 3 === 0 ? busy : updated)))).toEqual([])
  })

  it('show answers in no form of the contract', async () => {
    const bare = { ...ids }
    expect(await foundOn(await updating((count) => (count % 3 === 0 ? bare : updated)))).toEqual([
      ['protocol/success-boolean', 'failed', 'success is not a boolean'],
    ])
  })
})
