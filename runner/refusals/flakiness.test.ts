import { expect, it } from 'vitest'
import { define } from '../check.ts'
import type { CheckContext } from '../context/context.ts'
import { participants, refused, sessionOn, usual } from '../run-check.fixture.ts'
import { runCheck } from '../run-check.ts'
import type { Session } from '../session.ts'
import { examineDoubts, whyFlaky } from './flakiness.ts'

const accepted = { success: true, collaborationId: 'p1', portalId: 'guest' }

const updates = 'update-participant/updates'

const accepts = () => accepted
const thirds = (other: object) => (count: number) => (count % 3 === 0 ? other : accepted)

it.each<[string, (count: number) => object, RegExp | undefined]>([
  ['is not flaky if it accepts everything', accepts, undefined],
  ['is not flaky if it refuses everything', () => refused, undefined],
  ['is flaky if it refuses some', thirds(refused), /^update-participant is flaky: it refused 2 of \d/],
])('an operation %s', async (_, updateInfo, why) => {
  const session = await sessionOn({ answers: { updateInfo }, makes: { participant: participants } })
  const found = await whyFlaky(session, 'update-participant')
  await session.close()
  if (why === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(why)
})

/** A target that answers the nth update of participants with `answer`, and accepts deletes. */
const updating = (answer: (count: number) => object): Promise<Session> =>
  sessionOn({
    answers: { updateInfo: (count) => answer(count), delete: () => accepted },
    makes: usual,
  })

/** A check that is inconclusive if one of its controls is refused. */
const controlled = define(
  'update-participant/bad-email',
  {},
  { actors: ['hostAdministrator'], fixtures: ['participant'], also: ['delete-collaboration'] },
  async (declaring) => {
    const { as, given, control, expect } = declaring as CheckContext
    await as.hostAdministrator('delete-collaboration', { collaborationId: 'c1' })
    const at = await given.participant()
    const plain = await given.request('update-participant')
    for (let time = 0; time < 4; time += 1)
      control(await as.hostAdministrator('update-participant', at, plain))
    expect(await as.hostAdministrator('update-participant', at, {})).toBeAccepted()
  },
)

async function foundOn(session: Session) {
  await runCheck(controlled, session)
  await examineDoubts(session, new Set())
  return session.watch.results().filter(({ outcome }) => outcome === 'failed')
}

const later = { error: { code: 409, message: 'later' } }

it.each<[string, (count: number) => object, string[], RegExp?]>([
  ['are not sent if nothing was refused', accepts, []],
  [
    'show that an operation refuses now and then',
    thirds(refused),
    [updates],
    /^the target is flaky: it sometimes refuses plain valid requests, seen 2 of \d/,
  ],
  [
    'show that an operation refuses every second request',
    (count) => (count % 2 === 0 ? refused : accepted),
    [updates],
    /^the target is flaky: it sometimes refuses plain valid requests, seen 2 of \d/,
  ],
  [
    'show that an operation stopped working, while others work',
    (count) => (count > 3 ? refused : accepted),
    [updates],
    /^update-participant stopped working during the run: /,
  ],
  ['prove nothing if the operation never worked', () => refused, []],
  ['prove nothing if only one request was refused', (count) => (count === 3 ? refused : accepted), []],
  ['prove nothing if the target says that it is busy', thirds(later), []],
  [
    'show answers that break the contract',
    thirds({ collaborationId: 'p1', portalId: 'guest' }),
    ['protocol/success-boolean'],
    /^success is not a boolean$/,
  ],
])('plain requests at the end of a run %s', async (_, answer, requirements, message) => {
  const found = await foundOn(await updating(answer))
  expect(found.map(({ requirement }) => requirement)).toEqual(requirements)
  for (const { failure } of found) expect(failure?.message).toMatch(message as RegExp)
})

it('plain requests at the end of a run prove nothing if the trouble is over', async () => {
  let isOver = false
  const session = await updating((count) => (isOver ? accepted : thirds(refused)(count)))
  expect(await whyFlaky(session, 'update-participant')).toMatch(/is flaky/)
  isOver = true
  expect(await foundOn(session)).toEqual([])
})

it('plain requests at the end of a run prove nothing if each fixture is accepted a moment later', async () => {
  const askedAt = new Map<string, number>()
  const isLate = (path: string): boolean => {
    const now = performance.now()
    const since = askedAt.get(path) ?? now
    askedAt.set(path, since)
    return now - since < 300
  }
  const session = await sessionOn({
    answers: {
      updateInfo: (count, { path }) => {
        const collaborationId = /p\d+(?=\/participants)/.exec(path)?.[0]
        return count > 3 && isLate(path) ? refused : { ...accepted, collaborationId }
      },
      delete: () => accepted,
    },
    makes: { ...usual, participant: (count) => ({ ...participants(), collaborationId: `p${count}` }) },
    settle: '400ms',
  })
  expect(await foundOn(session)).toEqual([])
})
