import { expect, it } from 'vitest'
import { define } from '../check.ts'
import type { CheckContext } from '../context/context.ts'
import { participants, refused, sessionOn, usual } from '../run-check.fixture.ts'
import { runCheck } from '../run-check.ts'
import type { Session } from '../session.ts'
import { examineDoubts, whyFlaky } from './flakiness.ts'

const accepted = { success: true, collaborationId: 'p1', portalId: 'guest' }

const updates = 'update-participant/updates'

type Updates = (count: number, asked: { readonly body: string }) => object

/** Why updates of participants prove nothing: tried thoroughly, tried without refusals before them, and the findings. */
async function whyOn(updateInfo: Updates): Promise<(string | undefined)[]> {
  const session = await sessionOn({ answers: { updateInfo }, makes: { participant: participants } })
  const effect = { operation: 'update-participant', request: {} } as const
  const ends = []
  for (const thoroughly of [true, false]) ends.push(await whyFlaky(session, effect, { thoroughly }))
  const findings = session.watch
    .results()
    .flatMap(({ requirement, failure }) => (requirement === updates && failure?.message) || [])
  await session.close()
  return [...ends, ...findings]
}

/** Refuses strangers, and the next request after each of them. */
function refusingAfterRefusals(): Updates {
  let locked = false
  return (_, { body }) => {
    const isStranger = !body.includes('token=')
    const isRefused = isStranger || locked
    locked = isStranger
    return isRefused ? refused : accepted
  }
}

it('an operation that refuses only right after refusals is flaky only there', async () => {
  const [thoroughly, otherwise, finding] = await whyOn(refusingAfterRefusals())
  expect(thoroughly).toMatch(/refused 6 of 16 valid requests, each right after a refused one/)
  expect(otherwise).toBeUndefined()
  expect(finding).toMatch(/^plain valid requests are refused right after a refused request, and no others/)
})

it('an operation that accepts everything is not flaky', async () => {
  expect(await whyOn(() => accepted)).toEqual([undefined, undefined])
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
const thirds = (other: object) => (count: number) => (count % 3 === 0 ? other : accepted)

it.each<[string, (count: number) => object, string[], RegExp?]>([
  ['are not sent if nothing was refused', () => accepted, []],
  [
    'show that an operation refuses now and then',
    thirds(refused),
    [updates],
    /^plain valid requests are refused now and then: seen 2 of \d/,
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
