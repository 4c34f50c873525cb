import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { isAccepted } from '../clauses/acceptance.ts'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { type Answer, TransportError } from '../deployment/http/exchange.ts'
import { answerOf } from './answers.fixture.ts'
import { define } from './check.ts'
import type { CheckId } from './check-result.ts'
import { Finding, type Grounds, NotTested, Unproven } from './findings.ts'
import {
  accepted,
  type Body,
  brokenConnection,
  checkOf,
  expectsAcceptance,
  participants,
  refused,
  remove,
  resultOf,
  type SmallTarget,
  sessionOn,
  sessionWith,
  timedOut,
  usual,
} from './run-check.fixture.ts'

/** Expects each of its generated cases to be accepted, one after the other. */
const expectsAcceptances: Body = (context) =>
  context.forAll(fc.nat(), () => expectsAcceptance(context), { width: 1 })

describe('runCheck', () => {
  it('passes a check that holds, with the exchange as evidence and without secrets', async () => {
    const result = await resultOf(expectsAcceptance)
    expect(result).toMatchObject({ outcome: 'passed', requests: 1 })
    expect(result.evidence).toMatchObject([{ class: 'accepted', operation: 'delete-collaboration' }])
    expect(JSON.stringify(result)).not.toContain('secret-of-the-host')
  })

  it('fails a check whose finding shows twice, and names the command that repeats it', async () => {
    const session = await sessionWith([accepted, refused])
    await resultOf(expectsAcceptance, session)
    const result = await resultOf(expectsAcceptance, session)
    expect(result).toMatchObject({
      outcome: 'failed',
      requests: 2,
      failure: { seen: { times: 2, tries: 2 } },
    })
    expect(result.failure?.repeat).toBe('portal-conformance run --requirement delete-collaboration/deletes')
    expect(result.failure?.actual).toContain('"code":403')
  })

  it('is inconclusive if a finding does not show again, and names both answers', async () => {
    const result = await resultOf(expectsAcceptance, [{ success: false }, accepted])
    expect(result.outcome).toBe('inconclusive')
    expect(result.reason).toMatch(/^seen once, but not when tried again/)
    expect(result.reason).toMatch(/first not accepted: .*success: false; then accepted: /)
    expect(result.evidence).toHaveLength(2)
  })

  it('is inconclusive if a lost answer may explain the refusals of all retries', async () => {
    const session = await sessionOn({
      answers: {
        delete: (count) => [accepted, timedOut][count - 1] ?? refused,
        updateInfo: () => accepted,
      },
      makes: usual,
      settle: '1500ms',
    })
    await resultOf(expectsAcceptance, session)
    const body: Body = async (context) => {
      context.expect(await context.wait.retryUntil(() => remove(context), isAccepted)).toBeAccepted()
    }
    const { outcome, reason } = await resultOf(body, session)
    expect([outcome, reason]).toEqual(['inconclusive', expect.stringMatching(/repeated|504/)])
  })

  it('warns if advice is not kept', async () => {
    const body: Body = async (context) => context.expect(await remove(context)).toBeRefused()
    const { outcome } = await resultOf(checkOf(body, 'delete-collaboration/delete-twice'))
    expect(outcome).toBe('warned')
  })

  it.each<[string, Body, string]>([
    ['sends nothing', () => Promise.resolve(), 'judged nothing'],
    ['judges no answer', async (context) => void (await remove(context)), 'judged nothing'],
    ['has only a control', async (context) => void context.control(await remove(context)), 'judged nothing'],
    [
      'performs an undeclared operation',
      async ({ as }) => void (await as.hostAdministrator('add-workspace', { collaborationId: 'c1' }, {})),
      'undeclared',
    ],
  ])('rejects a check that %s, so that it could not fail', async (_, body, message) => {
    await expect(resultOf(body)).rejects.toThrow(message)
  })

  it('does not test a check without its actor, and names the actor', async () => {
    const needs = { actors: ['outsider'] } as const
    const check = define('delete-collaboration/deletes', {}, needs, expectsAcceptance as never)
    expect(await resultOf(check)).toMatchObject({
      outcome: 'not-tested',
      requests: 0,
      reason: 'no actor outsider: add actors.outsider',
    })
  })

  const thrown = (...errors: Error[]): Body => {
    let attempts = 0
    return async (context) => {
      const answer = await remove(context)
      const error = errors[attempts++]
      if (error === undefined) context.expect(answer).toBeAccepted()
      else throw error
    }
  }
  const finding = (answers: readonly Answer[], grounds: Partial<Grounds> = {}) =>
    new Finding('wrong', { expected: ['right'], actual: 'wrong', answers, ...grounds })
  const twice = { path: '1/4', seen: { times: 2, tries: 3 } }

  it('retries a finding, unless the check has already seen it twice', async () => {
    const again = await resultOf(thrown(finding([answerOf({})]), finding([answerOf({})])))
    expect(again).toMatchObject({ outcome: 'failed', requests: 2 })
    expect(again.failure).not.toHaveProperty('path')
    expect(await resultOf(thrown(finding([answerOf({})], twice)))).toMatchObject({
      outcome: 'failed',
      requests: 1,
      failure: { path: '1/4', seen: { times: 2, tries: 3 } },
    })
  })

  it.each([
    ['no control', new Unproven('no control')],
    ['the connection broke', new TransportError('timeout', 'the connection broke', answerOf({}).request)],
    ['nothing left', new FixtureNotOffered('group', 'nothing left')],
  ])('is inconclusive if the retry of a finding proves nothing: %s', async (why, end) => {
    const result = await resultOf(thrown(finding([answerOf({ first: 1 })]), end))
    expect(result).toMatchObject({ outcome: 'inconclusive', requests: 2 })
    expect(result.reason).toMatch(new RegExp(`^seen once, .*: wrong .*${why}`))
    expect(result.evidence?.at(0)?.response?.body).toBe('{"first":1}')
    expect(result.evidence?.length).toBeGreaterThan(1)
  })

  it('shows the answers of an inconclusive check, and the last 20 of a long finding', async () => {
    const unproven = new Unproven('no control', [answerOf({ shown: 1 }), answerOf({ shown: 2 })])
    const result = await resultOf(thrown(unproven))
    expect(result).toMatchObject({ outcome: 'inconclusive', reason: 'no control' })
    expect(result.evidence?.map(({ response }) => response?.body)).toEqual(['{"shown":1}', '{"shown":2}'])
    const many = Array.from({ length: 30 }, (_, at) => answerOf({ at }))
    const { evidence } = await resultOf(thrown(finding(many, twice)))
    expect(evidence).toHaveLength(20)
    expect(evidence?.at(-1)?.response?.body).toBe('{"at":29}')
  })

  it('shows the request that got no answer', async () => {
    const lost = new TransportError('timeout', 'no answer in time', answerOf({}).request)
    const result = await resultOf(thrown(lost))
    expect(result.outcome).toBe('inconclusive')
    expect(result.evidence?.at(-1)?.error).toContain('no answer in time')
    expect(result.evidence).toHaveLength(2)
  })

  it('is not tested without a fixture, and names what to add, unless the run makes its fixtures', async () => {
    const body = () => Promise.reject(new FixtureNotOffered('group', 'no group left'))
    expect(await resultOf(body)).toMatchObject({ outcome: 'not-tested', add: ['fixtures.group'] })
    const optional = { actors: [], fixtures: ['group' as const], reads: [] }
    const besides = await resultOf({ ...checkOf(body), whereThere: optional })
    expect(besides.outcome).toBe('not-applicable')
    const session = await sessionWith([accepted])
    const administration = {} as NonNullable<typeof session.configuration.administration>
    Object.assign(session, { configuration: { ...session.configuration, administration } })
    const made = await resultOf(body, session)
    expect(made).toMatchObject({ outcome: 'not-tested' })
    expect(made).not.toHaveProperty('add')
  })

  it('is not tested if the check gives up, and names what the check wants to add', async () => {
    const add = ['actors.hostMember.username']
    const untested = await resultOf(thrown(new NotTested('no username', add)))
    expect(untested).toMatchObject({ outcome: 'not-tested', reason: 'no username', add })
    expect(await resultOf(thrown(new NotTested('all are used', [])))).not.toHaveProperty('add')
  })

  it('is inconclusive if a generated case proves nothing', async () => {
    let count = 0
    const body: Body = (context) =>
      context.forAll(fc.nat(), async () => {
        context.expect(await remove(context)).toBeAccepted()
        if (++count === 2) throw new Unproven('no control')
      })
    expect(await resultOf(body)).toMatchObject({ outcome: 'inconclusive', reason: 'no control' })
  })
})

it('says what was seen of syncs that ended the cases of a check early, and no cause', async () => {
  const session = await sessionOn({
    answers: { delete: () => accepted },
    makes: usual,
    actors: { syncInitiator: { credential: 'secret-of-the-guest', portal: 'host' } },
  })
  vi.spyOn(session.patience.syncTurns, 'taken', 'get').mockReturnValue(true)
  const check = checkOf(expectsAcceptances, 'sync-workspace/starts')
  const { outcome, reason } = await resultOf({ ...check, operations: ['delete-collaboration'] }, session)
  expect([outcome, reason]).toEqual([
    'passed',
    'syncs were refused while syncs of other workspaces were running, so the check ended its generated cases early',
  ])
})

describe('a finding that one exchange proves', () => {
  const refusesAnonymous: Body = async (context) => {
    const by = context.as.anonymous
    context.expect(await by('delete-collaboration', { collaborationId: 'c1' })).toBeRefused()
  }
  const eachRefusesAnonymous: Body = (context) =>
    context.forAll(fc.nat(), () => refusesAnonymous(context), { width: 1 })
  const seventh = Array.from({ length: 20 }, (_, at) => (at === 6 ? accepted : refused))
  const timed = { ...checkOf(refusesAnonymous), traits: ['timed' as const] }

  it.each([
    ['even if it never shows again', refusesAnonymous, [accepted, refused], 2, [1, 2]],
    ['even if the target goes away', refusesAnonymous, [accepted, brokenConnection], undefined, [1, 1]],
    ['in a generated case, retried alone', eachRefusesAnonymous, [...seventh, refused], 7 + 4, [1, 5]],
    ['if the body of one answer is wrong', expectsAcceptance, [{ success: 'true' }, accepted], 2, [1, 2]],
    ['if it depends on timing and shows twice', timed, [accepted], 2, [2, 2]],
  ] as const)('fails the check %s', async (_, check, answers, requests, [times, tries]) => {
    const result = await resultOf(check, answers)
    expect(result).toMatchObject({ outcome: 'failed', failure: { seen: { times, tries } } })
    if (requests !== undefined) expect(result.requests).toBe(requests)
  })

  it('shows the exchange that proves it', async () => {
    const { evidence } = await resultOf(refusesAnonymous, [accepted, refused])
    expect(evidence?.at(-1)?.response?.body).toBe('{"success":true}')
  })

  it('makes the check inconclusive if it depends on timing and shows once', async () => {
    const { outcome, reason } = await resultOf(timed, [accepted, refused])
    expect([outcome, reason]).toEqual(['inconclusive', expect.stringMatching(/^seen once, but not/)])
  })
})

describe('the refusal of a valid request', () => {
  const updateInfo = () => accepted

  it.each([
    ['in one try', 'inconclusive', 1],
    ['in two tries', 'failed', 2],
  ])('%s makes the check %s', async (_, outcome, times) => {
    const answers = [...Array.from({ length: times }, () => refused), accepted]
    expect(await resultOf(expectsAcceptances, answers)).toMatchObject({ outcome })
  })

  it('proves nothing if the target accepts nothing any more', async () => {
    const session = await sessionOn({
      answers: { delete: () => refused, updateInfo: (count) => (count === 1 ? accepted : refused) },
      makes: usual,
    })
    const body: Body = async (context) => {
      await context.as.hostAdministrator('update-participant', participants(), {})
      await expectsAcceptance(context)
    }
    const operations = ['delete-collaboration', 'update-participant'] as const
    const { outcome, reason } = await resultOf({ ...checkOf(body), operations }, session)
    expect(outcome).toBe('inconclusive')
    expect(reason).toMatch(/the target accepted no more requests of hostAdministrator after/)
  })

  const blocked = { blocked: 'your address' }

  it.each<[string, boolean, string]>([
    ['if nothing is accepted any more, as behind a firewall', false, 'inconclusive'],
    ['unless other requests are still accepted', true, 'passed'],
  ])('out of the form of the contract proves nothing %s', async (_, others, outcome) => {
    let count = 0
    const first = () => (++count === 1 ? accepted : blocked)
    const session = await sessionOn({
      answers: { delete: first, updateInfo: () => (others ? accepted : first()) },
      makes: usual,
    })
    const body: Body = async (context) => {
      context.control(await remove(context))
      const anonymous = context.callers.by('anonymous')
      context.expect(await anonymous('delete-collaboration', { collaborationId: 'c1' })).toBeRefused()
    }
    const result = await resultOf(body, session)
    expect(result.outcome).toBe(outcome)
    if (!others)
      expect(result.reason).toMatch(/^the target accepted no more requests after .*in front of the target/)
  })

  it('proves nothing if the target accepts only other callers', async () => {
    const session = await sessionOn({
      answers: { delete: (count) => (count === 1 ? accepted : refused), update: () => accepted },
      makes: usual,
      actors: { taskOwner: { credential: 'secret-of-the-owner', portal: 'host' } },
    })
    await resultOf(expectsAcceptance, session)
    const needs = { actors: ['hostAdministrator', 'taskOwner'], also: ['update-task-run'] } as const
    const check = define('delete-collaboration/deletes', {}, needs, async ({ as, expect: look }) => {
      const answer = await as.hostAdministrator('delete-collaboration', { collaborationId: 'c1' })
      await as.taskOwner('update-task-run', { userName: 'u', taskId: 't', runId: 'r' }, {})
      look(answer).toBeAccepted()
    })
    const { outcome, reason } = await resultOf(check, session)
    expect(outcome).toBe('inconclusive')
    expect(reason).toMatch(/^the target accepted no more requests of hostAdministrator/)
  })

  const lists = ['collaboration', 'participant'] as const

  it.each<[string, Partial<SmallTarget>, string, RegExp?]>([
    ['counts if the target refuses a fresh collaboration as well', {}, 'failed'],
    [
      'proves nothing if the provider always hands out the same collaboration',
      { makes: { ...usual, collaboration: () => ({ collaborationId: 'always' }) } },
      'inconclusive',
      /no collaboration has been accepted so far, .*the provider may hand out something/,
    ],
    [
      'proves nothing if an earlier run may have used up the static list',
      { lists },
      'inconclusive',
      /an earlier run may have used up fixtures\.static\.collaboration/,
    ],
    [
      'counts if the target accepts another operation on the same collaboration',
      {
        answers: { updateInfo, addWorkspace: () => accepted },
        makes: { ...usual, group: () => ({ groupId: 'g' }) },
        lists: [...lists, 'group'],
      },
      'failed',
    ],
  ])('%s', async (_, target, wanted, why = /^$/) => {
    const session = await sessionOn({ answers: { updateInfo }, makes: usual, ...target })
    const { outcome, reason = '' } = await resultOf(expectsAcceptance, session)
    expect([outcome, reason]).toEqual([wanted, expect.stringMatching(why)])
  })
})

describe('a refusal that proves more than "a valid request is refused"', () => {
  const beyond = 'delete-collaboration/others-unaffected'
  /** Refuses the collaboration c1, unless `takesFirst`; others by their number. */
  const refusing = (others: (count: number) => boolean, takesFirst = false) =>
    sessionOn({
      answers: {
        delete: (count, { path }) =>
          (!takesFirst && path.includes('/c1/')) || others(count) ? refused : accepted,
        updateInfo: () => accepted,
      },
      makes: usual,
    })
  const thirds = (count: number) => count % 3 === 0

  it.each([
    ['counts if all others are accepted', beyond, () => false, 'failed'],
    ['counts if all others are refused', beyond, () => true, 'failed'],
    ['does not count if the operation is flaky', beyond, thirds, 'inconclusive'],
    ['counts despite flakiness if it proves only that', 'delete-collaboration/deletes', thirds, 'failed'],
  ] as const)('%s', async (_, id, others, outcome) => {
    const result = await resultOf(checkOf(expectsAcceptance, id), await refusing(others))
    expect(result.outcome).toBe(outcome)
    if (outcome === 'inconclusive')
      expect(result.reason).toMatch(/is flaky: it refused \d+ of \d+ plain valid requests/)
  })

  it('counts only if the same case is refused again', async () => {
    const result = await resultOf(checkOf(expectsAcceptances, beyond), await refusing(thirds, true))
    expect(result).toMatchObject({ outcome: 'inconclusive' })
    expect(result.reason).toMatch(/^seen once, but not when tried again/)
    expect(result.evidence?.at(0)?.response?.body).toContain('"code":403')
    expect(result.evidence?.at(-1)?.response?.body).toBe('{"success":true}')
  })
})

/** Accepts callers with a credential. Answers anonymous ones with `anonymous`, and the next caller with `afterwards`. */
function changedByAnonymous(afterwards: object, anonymous: object = refused) {
  let after = false
  return (_: number, { body }: { body: string }): object => {
    const answer = after ? afterwards : accepted
    after = !body.includes('token=')
    return after ? anonymous : answer
  }
}

describe('a passed check is repeated right after refusals', () => {
  const check = define(
    'update-participant/updates',
    {},
    { actors: ['hostAdministrator'], fixtures: ['participant'] },
    async ({ as, expect: look }) => {
      look(await as.hostAdministrator('update-participant', participants(), {})).toBeAccepted()
    },
  )
  it.each([
    ['fails if a valid request is then refused each time', refused, refused, 'failed', undefined],
    ['passes if it is then accepted, and counts the refused request', accepted, refused, 'passed', 3],
    ['passes if the anonymous request was accepted', refused, accepted, 'passed', undefined],
  ])('and %s', async (_, afterwards, anonymous, wanted, count) => {
    const updateInfo = changedByAnonymous(afterwards, anonymous)
    const { outcome, failure, requests } = await resultOf(
      check,
      await sessionOn({ answers: { updateInfo }, makes: usual }),
    )
    expect([outcome, count ?? requests]).toEqual([wanted, requests])
    if (wanted === 'failed') expect(failure?.message).toContain('right after an equal request was refused')
  })
})

describe('a short check that uses its fixtures up is repeated as a whole', () => {
  const checkAgain = (id: CheckId = 'delete-collaboration/others-unaffected') =>
    checkOf(expectsAcceptance, id)

  /** Accepts deletes of callers with a credential; after an anonymous one, only as configured. */
  const target = ({ runs = 100, afterwards = accepted }: { runs?: number; afterwards?: object } = {}) =>
    sessionOn({
      runs,
      answers: { delete: changedByAnonymous(afterwards), updateInfo: () => accepted },
      makes: usual,
    })

  it('beside a refused request and right after one', async () => {
    expect(await resultOf(checkAgain(), await target())).toMatchObject({
      outcome: 'passed',
      requests: 1 + 2 + 2,
    })
  })

  it('and fails if its operation refuses valid requests there', async () => {
    const { outcome, failure } = await resultOf(checkAgain(), await target({ afterwards: refused }))
    expect(outcome).toBe('failed')
    expect(failure?.message).toMatch(/beside a refused request|right after a refused request/)
  })

  it.each([
    ['in a run of few cases', { runs: 25 }, {}],
    ['if it depends on timing', {}, { traits: ['timed'] }],
    ['if it is advice', {}, { id: 'delete-collaboration/delete-twice' }],
    ['if it only proves that valid requests are accepted', {}, { id: 'delete-collaboration/deletes' }],
  ] as const)(
    'but not %s',
    async (_, run, { id, ...check }: { id?: CheckId; traits?: readonly ['timed'] }) => {
      const result = await resultOf({ ...checkAgain(id), ...check }, await target(run))
      expect(result).toMatchObject({ outcome: 'passed', requests: 1 })
    },
  )
})
