import { expect, test } from 'vitest'
import { answerOf } from '../http/answer.fixture.ts'
import type { Answer } from '../http/exchange.ts'
import { CredentialKeeper } from './credential-keeper.ts'
import { CredentialError, SignIns } from './sign-ins.ts'

const actor = 'hostAdministrator'

const answerWith = (body: object, status = 200): Answer =>
  answerOf({ status, body: JSON.stringify(body), request: { actor } })
const renewable = { command: `${process.execPath} -e "console.log('second')"`, folder: '.' }

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
  const sawWith = (credential: string, about: string, answer: Answer, where = 'rest') =>
    keeper.saw(
      actor,
      credential,
      answer.with({
        request: { ...answer.request, url: `http://127.0.0.1/${where}/${about}?token=1` },
      }),
    )
  const saw = (about: string, answer: Answer, where?: string) => sawWith('first', about, answer, where)
  return { keeper, renewed, saw, sawWith }
}

test('a refusal does not count once the credential has expired', () => {
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

test('a credential stays in use if the target accepts it after refusing it as unknown', async () => {
  const { keeper, saw } = keeperOf()
  const at = (sentAt: number, answer: Answer): Answer => answer.with({ sentAt, answeredAt: sentAt + 1 })
  saw('add-workspace', at(0, accepted))
  saw('add-workspace', at(10, notKnown))
  // Sent before the refusal arrived, so it proves nothing.
  saw('add-workspace', at(5, accepted))
  saw('add-workspace', at(20, accepted))
  for (let from = 30; from < 90; from += 10) saw('add-workspace', at(from, notKnown))
  expect(keeper.of(actor)).toBe('first')
})

test('a lost credential is renewed after the first refusal, and refusals of it do not count', async () => {
  const { keeper, saw, renewed } = keeperOf(renewable)
  expect(keeper.outlived(actor, 'first', notKnown)).toBe(false)
  saw('add-workspace', notKnown)
  expect(keeper.outlived(actor, 'first', notKnown)).toBe(true)
  expect(keeper.outlived(actor, 'first', answerWith({}, 401))).toBe(false)
  expect(await keeper.of(actor)).toBe('second')
  expect(renewed).toEqual(['second'])
  // Requests that were in flight with the first credential.
  expect(keeper.outlived(actor, 'first', notKnown)).toBe(true)
  expect(keeper.outlived(actor, 'second', notKnown)).toBe(false)
})

test('a lost credential that cannot be renewed has the reason', async () => {
  const { keeper, saw } = keeperOf({ command: 'exit 3', folder: '.' })
  expect(keeper.whyNotRenewed(actor)).toBeUndefined()
  saw('add-workspace', notKnown)
  await expect(keeper.of(actor)).rejects.toBeInstanceOf(CredentialError)
  expect(keeper.whyNotRenewed(actor)).toMatch(/ended with code 3$/)
})

test('a credential ends after 60 answers of 401 to an operation accepted before', async () => {
  const { keeper, saw } = keeperOf()
  saw('add-workspace', accepted)
  for (let count = 0; count < 59; count += 1) saw('add-workspace', answerWith({}, 401))
  // Some targets answer every refusal with 401, so it takes many.
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

test('refused syncs end a credential only if no other sync was running', () => {
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
  ['refusals of an operation that was never accepted', [added, deleting, deleting]],
  ['one refusal', [added, refused()]],
  ['refusals with accepted requests between', [added, refused(), added, refused()]],
  [
    'refusals for other reasons',
    [added, refused(answerWith({ error: { code: 403 } })), refused(answerWith({}, 500))],
  ],
] as const)('a credential stays in use after %s', (_, steps) => {
  const { keeper, saw } = keeperOf()
  for (const [about, answer] of steps) saw(about, answer)
  expect(keeper.of(actor)).toBe('first')
})

test.each([
  ['a number', notKnown],
  ['text', answerWith({ error: { code: '498' } })],
])('a renewable credential is renewed if the error code is %s', async (_, notKnown) => {
  const { keeper, renewed, saw } = keeperOf(renewable)
  saw('add-workspace', accepted)
  for (let count = 0; count < 2; count += 1) saw('add-workspace', notKnown)
  expect(keeper.endedBefore(notKnown)).toBe('it has ended, and is renewed')
  expect(await keeper.of(actor)).toBe('second')
  expect(renewed).toEqual(['second'])
  // Requests in flight with the first credential do not count against the second.
  for (let count = 0; count < 2; count += 1) saw('add-workspace', notKnown)
  expect(keeper.of(actor)).toBe('second')
})

test('a credential refused from the start is renewed, or kept if it cannot be renewed', async () => {
  const { keeper, saw } = keeperOf(renewable)
  for (let count = 0; count < 2; count += 1) saw('add-workspace', notKnown)
  expect(await keeper.of(actor)).toBe('second')
  const { keeper: other, saw: otherSaw } = keeperOf()
  for (let count = 0; count < 2; count += 1) otherSaw('add-workspace', notKnown)
  expect(other.of(actor)).toBe('first')
})

test('refusals by another portal do not end a credential', () => {
  const { keeper, saw } = keeperOf(renewable)
  saw('add-workspace', accepted)
  for (let count = 0; count < 5; count += 1) saw('add-workspace', notKnown, 'guest')
  expect(keeper.of(actor)).toBe('first')
})

const found = answerWith({ total: 0 })

/** A keeper whose source has a new credential each time, and answers to the current one. */
function renewing() {
  const { keeper, renewed, sawWith } = keeperOf({
    command: `${process.execPath} -e "console.log(process.hrtime.bigint())"`,
    folder: '.',
  })
  return {
    keeper,
    renewed,
    saw: async (about: string, answer: Answer) => sawWith(await keeper.of(actor), about, answer),
  }
}

test.each([
  ['a page', 'page', found],
  ['an operation', 'add-workspace', accepted],
])('a credential that the target loses again and again for %s is always renewed', async (_, about, shown) => {
  const { keeper, renewed, saw } = renewing()
  for (let count = 0; count < 8; count += 1) {
    await saw(about, shown)
    await saw(about, notKnown)
  }
  await keeper.of(actor)
  expect(renewed).toHaveLength(8)
})

test.each([
  ['498 for the same request', notKnown],
  ['401 for some requests', answerWith({}, 401)],
])('a credential is renewed three times if the target answers %s', async (_, refusal) => {
  const { renewed, saw } = renewing()
  await saw('add-workspace', accepted)
  for (let count = 0; count < 8; count += 1) {
    await saw('add-workspace', refusal)
    await saw(refusal === notKnown ? 'update-participant' : 'add-workspace', accepted)
  }
  expect(renewed).toHaveLength(3)
})

test('refusals of requests that were on their way together cost one renewal', async () => {
  const { keeper, renewed, saw } = keeperOf(renewable)
  for (let count = 0; count < 5; count += 1) saw(`add-workspace/${count}`, notKnown)
  expect(await keeper.of(actor)).toBe('second')
  expect(renewed).toEqual(['second'])
})
