import { expect, test } from 'vitest'
import { answerOf } from '../http/answer.fixture.ts'
import type { Answer } from '../http/exchange.ts'
import { CredentialKeeper } from './credential-keeper.ts'
import { CredentialError, SignIns } from './sign-ins.ts'

const actor = 'hostAdministrator'

const answerWith = (body: object, status = 200): Answer =>
  answerOf({ status, body: JSON.stringify(body), request: { actor } })
const anew = { command: `${process.execPath} -e "console.log('second')"`, folder: '.' }

const accepted = answerWith({ success: true })
const notKnown = answerWith({ error: { code: 498 } })

function keeperOf(source?: object) {
  const renewed: string[] = []
  const configuration = {
    authentication: { in: 'form', name: 'token', prefix: '' },
    target: { baseUrl: 'http://127.0.0.1/rest' },
    portals: { host: { id: 'h' }, guest: { id: 'g', baseUrl: 'http://127.0.0.1/guest' } },
    actors: { [actor]: { credential: 'first', portal: 'host', ...(source === undefined ? {} : { source }) } },
  }
  const keeper = new CredentialKeeper(configuration as never, new SignIns(), (credential) =>
    renewed.push(credential),
  )
  return {
    keeper,
    renewed,
    saw: (about: string, answer: Answer, where = 'rest') =>
      keeper.saw(
        actor,
        'first',
        answer.with({
          request: { ...answer.request, url: `http://127.0.0.1/${where}/${about}?token=1` },
        }),
      ),
  }
}

test('a refusal says nothing where the credential has ended by its own terms', () => {
  const keeperUntil = (expiresAt: number) =>
    new CredentialKeeper(
      { actors: { [actor]: { credential: 'first', portal: 'host', expiresAt } } } as never,
      new SignIns(),
      () => undefined,
    )
  expect(keeperUntil(Date.now() - 1).outlived('hostAdministrator', 'first', notKnown)).toBe(true)
  expect(keeperUntil(Date.now() - 1).outlived('hostAdministrator', 'first', accepted)).toBe(false)
  expect(keeperUntil(Date.now() - 1).outlived('hostAdministrator', 'another', notKnown)).toBe(false)
  expect(keeperUntil(Date.now() + 60_000).outlived('hostAdministrator', 'first', notKnown)).toBe(false)
})

test('who says that a credential is not known, and takes it again, says so of anything', async () => {
  const { keeper, saw } = keeperOf()
  const at = (sentAt: number, answer: Answer): Answer => answer.with({ sentAt, answeredAt: sentAt + 1 })
  saw('add-workspace', at(0, accepted))
  saw('add-workspace', at(10, notKnown))
  // Asked for before that answer came: it says nothing.
  saw('add-workspace', at(5, accepted))
  saw('add-workspace', at(20, accepted))
  for (let from = 30; from < 90; from += 10) saw('add-workspace', at(from, notKnown))
  expect(keeper.of(actor)).toBe('first')
})

test('a refusal of a credential that the target lost says nothing, and there is a new one after the first', async () => {
  const { keeper, saw, renewed } = keeperOf(anew)
  expect(keeper.outlived(actor, 'first', notKnown)).toBe(false)
  saw('add-workspace', notKnown)
  expect(keeper.outlived(actor, 'first', notKnown)).toBe(true)
  expect(keeper.outlived(actor, 'first', answerWith({}, 401))).toBe(false)
  expect(await keeper.of(actor)).toBe('second')
  expect(renewed).toEqual(['second'])
  // Those that were on their way with the first one.
  expect(keeper.outlived(actor, 'first', notKnown)).toBe(true)
  expect(keeper.outlived(actor, 'second', notKnown)).toBe(false)
})

test('a credential that is not known any more for what it did before is not used again, and the reason says so', async () => {
  const { keeper, saw } = keeperOf()
  saw('add-workspace', accepted)
  for (let count = 0; count < 59; count += 1) saw('add-workspace', answerWith({}, 401))
  // Some targets refuse by that status whatever they refuse: it takes many to say that it ended.
  expect(keeper.of(actor)).toBe('first')
  expect(keeper.endedBefore(notKnown)).toBeUndefined()
  saw('add-workspace', answerWith({}, 401))
  const ended = keeper.of(actor) as Promise<string>
  await expect(ended).rejects.toBeInstanceOf(CredentialError)
  await expect(ended).rejects.toThrow(
    /^the target does not know it any more \(401\) for what it accepted before/,
  )
  expect(keeper.endedBefore(notKnown)).toMatch(/^the target does not know it/)
  expect(keeper.endedBefore(answerWith({ error: { code: 400 } }))).toBeUndefined()
})

test('refusals of syncs while others run do not end a credential, and those of other syncs do', () => {
  const { keeper, saw } = keeperOf()
  const sync = (busy: object, answer: Answer): Answer =>
    answer.with({ request: { ...answer.request, sync: { leastMs: 50, ...busy } } })
  saw('sync-workspace', accepted)
  for (let count = 0; count < 60; count += 1) saw('sync-workspace', sync({ busyUntil: 100 }, notKnown))
  expect(keeper.endedBefore(notKnown)).toBeUndefined()
  for (let count = 0; count < 60; count += 1) saw('sync-workspace', sync({}, notKnown))
  expect(keeper.endedBefore(notKnown)).toMatch(/^the target does not know it/)
})

const added = ['add-workspace', accepted] as const
const refused = (answer = notKnown, about = 'add-workspace') => [about, answer] as const
const deleting = refused(notKnown, 'delete-collaboration')

test.each([
  ['what it never did', [added, deleting, deleting]],
  ['one refusal', [added, refused()]],
  ['refusals with others between', [added, refused(), added, refused()]],
  [
    'refusals for another reason',
    [added, refused(answerWith({ error: { code: 403 } })), refused(answerWith({}, 500))],
  ],
] as const)('%s: the credential stays', (_, steps) => {
  const { keeper, saw } = keeperOf()
  for (const [about, answer] of steps) saw(about, answer)
  expect(keeper.of(actor)).toBe('first')
})

test.each([
  ['a number', notKnown],
  ['text', answerWith({ error: { code: '498' } })],
])('one that can be had anew is renewed where the code of the refusal is %s', async (_, notKnown) => {
  const { keeper, renewed, saw } = keeperOf(anew)
  saw('add-workspace', accepted)
  for (let count = 0; count < 2; count += 1) saw('add-workspace', notKnown)
  expect(keeper.endedBefore(notKnown)).toBe('it has ended, and is renewed')
  expect(await keeper.of(actor)).toBe('second')
  expect(renewed).toEqual(['second'])
  // What was on its way with the first one says nothing of the second.
  for (let count = 0; count < 2; count += 1) saw('add-workspace', notKnown)
  expect(keeper.of(actor)).toBe('second')
})

test('one that is lost before anything was accepted is had anew, and used on where that does not help', async () => {
  const { keeper, saw } = keeperOf(anew)
  for (let count = 0; count < 2; count += 1) saw('add-workspace', notKnown)
  expect(await keeper.of(actor)).toBe('second')
  const { keeper: other, saw: sees } = keeperOf()
  for (let count = 0; count < 2; count += 1) sees('add-workspace', notKnown)
  expect(other.of(actor)).toBe('first')
})

test('that another portal does not know it says nothing', () => {
  const { keeper, saw } = keeperOf(anew)
  saw('add-workspace', accepted)
  for (let count = 0; count < 5; count += 1) saw('add-workspace', notKnown, 'guest')
  expect(keeper.of(actor)).toBe('first')
})
