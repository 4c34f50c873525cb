import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
  checkOf,
  collaborations,
  expectsAcceptance,
  gone,
  participants,
  refused,
  remove,
  sessionOn,
  sessionWith,
  timedOut,
} from './run-check.fixture.ts'
import { runCheck } from './run-check.ts'

describe('runCheck', () => {
  it('passes what holds, with the exchange as evidence and no secret in it', async () => {
    const result = await runCheck(checkOf(expectsAcceptance), await sessionWith([accepted]))
    expect(result).toMatchObject({ outcome: 'passed', requests: 1 })
    expect(result.evidence).toMatchObject([{ class: 'accepted', operation: 'delete-collaboration' }])
    expect(JSON.stringify(result)).not.toContain('secret-of-the-host')
  })

  it('fails what was found twice, and says how to see it again', async () => {
    const session = await sessionWith([accepted, refused])
    await runCheck(checkOf(expectsAcceptance), session)
    const result = await runCheck(checkOf(expectsAcceptance), session)
    expect(result).toMatchObject({
      outcome: 'failed',
      requests: 2,
      failure: { seen: { times: 2, tries: 2 } },
    })
    expect(result.failure?.repeat).toBe('portal-conformance run --requirement delete-collaboration/deletes')
    expect(result.failure?.actual).toContain('"code":403')
  })

  it('shows success with an error as the judge reads it: refused', async () => {
    const both = { success: true, error: { code: 500, message: 'no' } }
    const result = await runCheck(checkOf(expectsAcceptance), await sessionWith([both]))
    expect(result.evidence?.at(-1)).toMatchObject({ class: 'refused', response: { status: 200 } })
  })

  it('does not hold against the target what did not show a second time', async () => {
    const result = await runCheck(
      checkOf(expectsAcceptance),
      await sessionWith([{ success: false }, accepted]),
    )
    expect(result.outcome).toBe('inconclusive')
    expect(result.reason).toMatch(/^seen once, but not when tried again/)
    expect(result.evidence).toHaveLength(2)
  })

  it('holds no refusal against the target where a first answer was lost, however long it asks', async () => {
    const session = await sessionOn({
      answers: {
        delete: (count) => [accepted, timedOut][count - 1] ?? refused,
        updateInfo: () => accepted,
      },
      makes: { collaboration: collaborations, participant: participants },
      settle: '1500ms',
    })
    await runCheck(checkOf(expectsAcceptance), session)
    const body: Body = async (context) => {
      context.expect(await context.wait.retryUntil(() => remove(context), isAccepted)).toBeAccepted()
    }
    const result = await runCheck(checkOf(body), session)
    expect(result).toMatchObject({ outcome: 'inconclusive', reason: expect.stringMatching(/repeated|504/) })
  })

  it('finds nothing wrong with a target that never spoke like a portal', async () => {
    const session = await sessionOn({ answers: {}, makes: { collaboration: collaborations } })
    const result = await runCheck(checkOf(expectsAcceptance), session)
    expect(result.outcome).toBe('inconclusive')
    expect(result.reason).toContain('check the base URL, the portal ids and the credentials')
  })

  it('warns where advice is not kept', async () => {
    const body: Body = async (context) => context.expect(await remove(context)).toBeRefused()
    const check = checkOf(body, 'delete-collaboration/delete-twice')
    expect((await runCheck(check, await sessionWith([accepted]))).outcome).toBe('warned')
  })

  it('is inconclusive where the control failed', async () => {
    const body: Body = async (context) => {
      context.control(await remove(context))
      context.expect(await remove(context)).toBeRefused()
    }
    const result = await runCheck(checkOf(body), await sessionWith([refused]))
    expect(result).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining('proves nothing'),
    })
  })

  it.each<[string, Body]>([
    ['sends nothing', () => Promise.resolve()],
    ['looks at no answer', async (context) => void (await remove(context))],
    ['has only a control', async (context) => void context.control(await remove(context))],
  ])('breaks on a check that %s: it could not fail', async (_, body) => {
    await expect(runCheck(checkOf(body), await sessionWith([accepted]))).rejects.toThrow('looked at nothing')
  })

  it('breaks on a check that performs an operation which it did not declare', async () => {
    const body: Body = async (context) => {
      await context.as.hostAdministrator('add-workspace', { collaborationId: 'c1' }, {})
    }
    await expect(runCheck(checkOf(body), await sessionWith([accepted]))).rejects.toThrow('undeclared')
  })

  it('does not test what no actor was given for, and says which', async () => {
    const check = define(
      'delete-collaboration/deletes',
      {},
      { actors: ['outsider'] },
      expectsAcceptance as never,
    )
    const result = await runCheck(check, await sessionWith([accepted]))
    expect(result).toMatchObject({
      outcome: 'not-tested',
      requests: 0,
      reason: 'no actor outsider: add actors.outsider',
    })
  })

  const thrown = (...errors: (Error | undefined)[]): Body => {
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

  it('tries a finding again, but not one that was seen twice', async () => {
    const again = await runCheck(
      checkOf(thrown(finding([answerOf({})]), finding([answerOf({})]))),
      await sessionWith([accepted]),
    )
    expect(again).toMatchObject({ outcome: 'failed', requests: 2 })
    expect(again.failure).not.toHaveProperty('path')
    const stands = finding([answerOf({})], twice)
    const once = await runCheck(checkOf(thrown(stands)), await sessionWith([accepted]))
    expect(once).toMatchObject({
      outcome: 'failed',
      requests: 1,
      failure: { path: '1/4', seen: { times: 2, tries: 3 } },
    })
  })

  it.each([
    ['no control', new Unproven('no control')],
    ['the connection broke', new TransportError('timeout', 'the connection broke', answerOf({}).request)],
    ['nothing left', new FixtureNotOffered('group', 'nothing left')],
  ])('takes a second attempt that could not tell for no second sighting: %s', async (why, end) => {
    const body = thrown(finding([answerOf({ first: 1 })]), end)
    const result = await runCheck(checkOf(body), await sessionWith([accepted]))
    expect(result).toMatchObject({ outcome: 'inconclusive', requests: 2 })
    expect(result.reason).toMatch(new RegExp(`^seen once, .*: wrong .*${why}`))
    expect(result.evidence?.at(0)?.response?.body).toBe('{"first":1}')
    expect(result.evidence?.length).toBeGreaterThan(1)
  })

  it('says what came the first and the second time', async () => {
    const session = await sessionWith([{ success: false }, accepted])
    const { reason } = await runCheck(checkOf(expectsAcceptance), session)
    expect(reason).toMatch(/first not accepted: .*success: false; then accepted: /)
  })

  it('shows the answers of what proved nothing, and the last ones of a long finding', async () => {
    const unproven = new Unproven('no control', [answerOf({ shown: 1 }), answerOf({ shown: 2 })])
    const result = await runCheck(checkOf(thrown(unproven)), await sessionWith([accepted]))
    expect(result).toMatchObject({ outcome: 'inconclusive', reason: 'no control' })
    expect(result.evidence?.map(({ response }) => response?.body)).toEqual(['{"shown":1}', '{"shown":2}'])
    const many = Array.from({ length: 30 }, (_, at) => answerOf({ at }))
    const long = finding(many, twice)
    const { evidence } = await runCheck(checkOf(thrown(long)), await sessionWith([accepted]))
    expect(evidence).toHaveLength(20)
    expect(evidence?.at(-1)?.response?.body).toBe('{"at":29}')
  })

  it('holds no refusal against a target that says it is asked too often', async () => {
    const outcomeOf = async (code: number) => {
      const found = finding([answerOf({ error: { code } })])
      return (await runCheck(checkOf(thrown(found, found)), await sessionWith([accepted]))).outcome
    }
    expect([await outcomeOf(429), await outcomeOf(400)]).toEqual(['inconclusive', 'failed'])
  })

  it('shows the request that was not answered', async () => {
    const lost = new TransportError('timeout', 'no answer in time', answerOf({}).request)
    const result = await runCheck(checkOf(thrown(lost)), await sessionWith([accepted]))
    expect(result.outcome).toBe('inconclusive')
    expect(result.evidence?.at(-1)?.error).toContain('no answer in time')
    expect(result.evidence).toHaveLength(2)
  })

  it('distinguishes a fixture that need not be offered from one that is missing', async () => {
    const session = await sessionWith([accepted])
    const body = () => Promise.reject(new FixtureNotOffered('group', 'no group left'))
    const missing = await runCheck(checkOf(body), session)
    expect(missing).toMatchObject({ outcome: 'not-tested', add: ['fixtures.group'] })
    const { configuration } = session
    const administration = {} as NonNullable<typeof configuration.administration>
    Object.assign(session, { configuration: { ...configuration, administration } })
    const made = await runCheck(checkOf(body), session)
    expect(made).toMatchObject({ outcome: 'not-tested' })
    // A run that makes its own fixtures gets no such advice: it could not be followed.
    expect(made).not.toHaveProperty('add')
    Object.assign(session, { configuration })
    const offered = {
      ...checkOf(body),
      whereThere: { actors: [], fixtures: ['group' as const], reads: [] },
    }
    const spared = await runCheck(offered, session)
    expect(spared.outcome).toBe('not-applicable')
    const add = ['actors.hostMember.username']
    const untested = await runCheck(checkOf(thrown(new NotTested('no username', add))), session)
    expect(untested).toMatchObject({ outcome: 'not-tested', reason: 'no username', add })
    const nothingToAdd = await runCheck(
      checkOf(thrown(new NotTested('all workspaces are used', []))),
      session,
    )
    expect(nothingToAdd).not.toHaveProperty('add')
  })

  it('is inconclusive where one of its generated cases proved nothing', async () => {
    let count = 0
    const body: Body = (context) =>
      context.forAll(fc.nat(), async () => {
        context.expect(await remove(context)).toBeAccepted()
        if (++count === 2) throw new Unproven('no control')
      })
    const result = await runCheck(checkOf(body), await sessionWith([accepted]))
    expect(result).toMatchObject({ outcome: 'inconclusive', reason: 'no control' })
  })
})

describe('what one exchange proves', () => {
  const letsIn: Body = async (context) => {
    const by = context.as.anonymous
    context.expect(await by('delete-collaboration', { collaborationId: 'c1' })).toBeRefused()
  }

  it('stands though it never shows again, with how often it was seen', async () => {
    const result = await runCheck(checkOf(letsIn), await sessionWith([accepted, refused]))
    expect(result).toMatchObject({ outcome: 'failed', failure: { seen: { times: 1, tries: 2 } } })
    expect(result.evidence?.at(-1)?.response?.body).toBe('{"success":true}')
  })

  it('stands though the target goes away', async () => {
    const result = await runCheck(checkOf(letsIn), await sessionWith([accepted, gone]))
    expect(result).toMatchObject({ outcome: 'failed', failure: { seen: { times: 1, tries: 1 } } })
  })

  it('stands in a generated case, which is tried again by itself', async () => {
    const answers = Array.from({ length: 20 }, (_, at) => (at === 6 ? accepted : refused))
    const body: Body = (context) => context.forAll(fc.nat(), () => letsIn(context), { width: 1 })
    const result = await runCheck(checkOf(body), await sessionWith([...answers, refused]))
    expect(result).toMatchObject({
      outcome: 'failed',
      requests: 7 + 4,
      failure: { seen: { times: 1, tries: 5 } },
    })
  })

  it('is also the content of an answer that was wrong once', async () => {
    const result = await runCheck(
      checkOf(expectsAcceptance),
      await sessionWith([{ success: 'true' }, accepted]),
    )
    expect(result).toMatchObject({ outcome: 'failed', failure: { seen: { times: 1, tries: 2 } } })
  })

  it('is not what rests on time', async () => {
    const timed = { ...checkOf(letsIn), traits: ['timed' as const] }
    const once = await runCheck(timed, await sessionWith([accepted, refused]))
    expect(once).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(/^seen once, but not/),
    })
    const always = await runCheck(timed, await sessionWith([accepted]))
    expect(always).toMatchObject({ outcome: 'failed', failure: { seen: { times: 2, tries: 2 } } })
  })
})

describe('the refusal of a valid request', () => {
  const makes = { collaboration: collaborations, participant: participants }

  it.each([
    [1, 'inconclusive'],
    [2, 'failed'],
  ])('in %s of its tries is %s', async (times, outcome) => {
    const answers = [...Array.from({ length: times }, () => refused), accepted]
    const body: Body = (context) => context.forAll(fc.nat(), () => expectsAcceptance(context), { width: 1 })
    const result = await runCheck(checkOf(body), await sessionWith(answers))
    expect(result).toMatchObject({ outcome })
  })

  it('proves nothing on a target that has died since', async () => {
    const session = await sessionOn({
      answers: { delete: () => refused, updateInfo: (count) => (count === 1 ? accepted : refused) },
      makes,
    })
    const body: Body = async (context) => {
      await context.as.hostAdministrator('update-participant', participants(), {})
      await expectsAcceptance(context)
    }
    const check = { ...checkOf(body), operations: ['delete-collaboration', 'update-participant'] as const }
    const result = await runCheck(check, session)
    expect(result).toMatchObject({ outcome: 'inconclusive' })
    expect(result.reason).toMatch(/nothing of hostAdministrator was accepted any more/)
  })

  it('proves nothing where only others are still let in', async () => {
    const runs = (count: number) => ({ userName: 'u', taskId: 't', runId: `r${count}` })
    const session = await sessionOn({
      answers: { delete: (count) => (count === 1 ? accepted : refused), update: () => accepted },
      makes: { collaboration: collaborations, taskRun: runs },
      actors: { taskOwner: { credential: 'secret-of-the-owner', portal: 'host' } },
    })
    await runCheck(checkOf(expectsAcceptance), session)
    expect((await runCheck(checkOf(expectsAcceptance), session)).outcome).toBe('inconclusive')
  })

  it('counts where another collaboration that was made just now is refused as well', async () => {
    const session = await sessionOn({ answers: { updateInfo: () => accepted }, makes })
    expect((await runCheck(checkOf(expectsAcceptance), session)).outcome).toBe('failed')
  })

  it('proves nothing where the provider gives the same collaboration again and again', async () => {
    const same = { ...makes, collaboration: () => ({ collaborationId: 'always' }) }
    const session = await sessionOn({ answers: { updateInfo: () => accepted }, makes: same })
    const result = await runCheck(checkOf(expectsAcceptance), session)
    expect(result.outcome).toBe('inconclusive')
    expect(result.reason).toMatch(
      /no collaboration has been accepted so far, .*the provider may hand out something/,
    )
  })

  it('proves nothing where the list may have been used up', async () => {
    const lists = ['collaboration', 'participant'] as const
    const session = await sessionOn({ answers: { updateInfo: () => accepted }, makes, lists })
    const result = await runCheck(checkOf(expectsAcceptance), session)
    expect(result.outcome).toBe('inconclusive')
    expect(result.reason).toMatch(/an earlier run may have used up fixtures\.static\.collaboration/)
    expect(result.evidence).toHaveLength(1)
  })

  it('counts where something else was accepted on the same collaboration', async () => {
    const lists = ['collaboration', 'participant', 'group'] as const
    const session = await sessionOn({
      answers: { updateInfo: () => accepted, addWorkspace: () => accepted },
      makes: { ...makes, group: () => ({ groupId: 'g' }) },
      lists,
    })
    expect((await runCheck(checkOf(expectsAcceptance), session)).outcome).toBe('failed')
  })
})

describe('what is concluded from a refusal, beyond that a valid request is refused,', () => {
  /** Refuses the collaboration c1; others by their number. */
  const refusing = (others: (count: number) => boolean) =>
    sessionOn({
      answers: {
        delete: (count, { path }) => (path.includes('/c1/') || others(count) ? refused : accepted),
        updateInfo: () => accepted,
      },
      makes: { collaboration: collaborations, participant: participants },
    })

  it.each([
    ['counts where all others are taken', 'delete-collaboration/others-unaffected', () => false, 'failed'],
    ['counts where all others are refused', 'delete-collaboration/others-unaffected', () => true, 'failed'],
    [
      'counts where others are refused but for the first few, which used something up',
      'delete-collaboration/others-unaffected',
      (count: number) => count > 4,
      'failed',
    ],
    [
      'does not count where the others are flaky',
      'delete-collaboration/others-unaffected',
      (count: number) => count % 3 === 0,
      'inconclusive',
    ],
    [
      'is nothing where the check says only that',
      'delete-collaboration/deletes',
      (count: number) => count % 3 === 0,
      'failed',
    ],
  ] as const)('%s', async (_, id, others, outcome) => {
    const result = await runCheck(checkOf(expectsAcceptance, id), await refusing(others))
    expect(result.outcome).toBe(outcome)
    if (outcome === 'inconclusive')
      expect(result.reason).toMatch(/is flaky: it refused \d+ of 16 equal valid requests/)
  })

  it('is that of the very same case: another one may be refused by chance', async () => {
    const body: Body = (context) => context.forAll(fc.nat(), () => expectsAcceptance(context), { width: 1 })
    const thirds = await sessionOn({
      answers: {
        delete: (count) => (count % 3 === 0 ? refused : accepted),
        updateInfo: () => accepted,
      },
      makes: { collaboration: collaborations, participant: participants },
    })
    const result = await runCheck(checkOf(body, 'delete-collaboration/others-unaffected'), thirds)
    expect(result).toMatchObject({ outcome: 'inconclusive' })
    expect(result.reason).toMatch(/^seen once, but not when tried again/)
    expect(result.evidence?.at(0)?.response?.body).toContain('"code":403')
    expect(result.evidence?.at(-1)?.response?.body).toBe('{"success":true}')
  })
})

describe('what a check finds now and then', () => {
  const participant = { collaborationId: 'p1', participantPortalId: 'guest' }
  const afterDelete = define(
    'delete-collaboration/others-unaffected',
    {},
    { also: ['update-participant'], actors: ['hostAdministrator'], fixtures: ['participant'] },
    async ({ as, control, expect: look }) => {
      const gone = await as.hostAdministrator('delete-collaboration', { collaborationId: 'c1' })
      control(gone)
      look(await as.hostAdministrator('update-participant', participant, {}), gone).toBeAccepted()
    },
  )
  /** Of this many deletes one has the next update of a participant refused. */
  const target = (oneOf: number) => {
    let after = false
    let deletes = 0
    return sessionOn({
      answers: {
        delete: (_, { body }) => {
          if (!body.includes('token=')) return refused
          after = deletes++ % oneOf === 0
          return accepted
        },
        updateInfo: (_, { body }) => {
          if (!body.includes('token=')) return refused
          const answer = after ? refused : accepted
          after = false
          return answer
        },
      },
      // None for what goes on beside a check: other deletes would count too.
      makes: { participant: participants },
    })
  }

  it('is a finding where it shows again and again', async () => {
    const result = await runCheck(afterDelete, await target(4))
    expect(result).toMatchObject({ outcome: 'failed', failure: { seen: { times: 3 } } })
    expect(result.failure?.seen?.tries).toBeGreaterThan(5)
  })

  it('is none where it shows no more', async () => {
    const result = await runCheck(afterDelete, await target(40))
    expect(result).toMatchObject({ outcome: 'inconclusive' })
    expect(result.reason).toMatch(/^seen once, but not when tried again.* in 18 tries in all/)
  })
})

/** Answers callers with a credential with success, anonymous ones with `anonymous`, and the next caller as `afterwards` says. */
function changedByNobody(afterwards: object, anonymous: object = refused) {
  let after = false
  return (_: number, { body }: { body: string }): object => {
    const answer = after ? afterwards : accepted
    after = !body.includes('token=')
    return after ? anonymous : answer
  }
}

describe('what held is checked again right after refusals', () => {
  const at = { collaborationId: 'p1', participantPortalId: 'guest' }
  const check = define(
    'update-participant/updates',
    {},
    { actors: ['hostAdministrator'], fixtures: ['participant'] },
    async ({ as, expect: look }) => {
      look(await as.hostAdministrator('update-participant', at, {})).toBeAccepted()
    },
  )
  /** Answers that belong to no request, and the next one, as the test asks. */
  const target = (afterwards: object, anonymous: object = refused, seed = 1) =>
    sessionOn({
      seed,
      answers: { updateInfo: changedByNobody(afterwards, anonymous) },
      makes: { collaboration: collaborations, participant: participants },
    })

  it('and fails where a valid request is refused then, each time', async () => {
    const result = await runCheck(check, await target(refused))
    expect(result).toMatchObject({
      outcome: 'failed',
      failure: { message: expect.stringContaining('right after an equal request was refused') },
    })
  })

  it.each([
    ['before it', 1, 3],
    ['before and beside it', 5, 4],
  ])('and passes where it is accepted then, with the refusals %s counted', async (_, seed, requests) => {
    const result = await runCheck(check, await target(accepted, refused, seed))
    expect(result).toMatchObject({ outcome: 'passed', requests })
  })

  it('and says nothing where no one was accepted before', async () => {
    const result = await runCheck(check, await target(refused, accepted))
    expect(result.outcome).toBe('passed')
  })
})

describe('what took few requests and uses its fixtures up is checked again as a whole', () => {
  const checkAgain = (id: CheckId = 'delete-collaboration/others-unaffected') =>
    checkOf(expectsAcceptance, id)

  /** Accepts deletes of callers with a credential; after an anonymous one, only as configured. */
  const target = ({ runs = 100, afterwards = accepted }: { runs?: number; afterwards?: object } = {}) =>
    sessionOn({
      runs,
      answers: { delete: changedByNobody(afterwards), updateInfo: () => accepted },
      makes: { collaboration: collaborations, participant: participants },
    })

  it('beside a refused request and right after one', async () => {
    const result = await runCheck(checkAgain(), await target())
    expect(result).toMatchObject({ outcome: 'passed', requests: 1 + 2 + 2 })
  })

  it('and leaves it to the first requirement where all its operation accepts is refused there', async () => {
    const session = await target({ afterwards: refused })
    const result = await runCheck(checkAgain(), session)
    expect(result).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(/^delete-collaboration (is flaky|refused \d+ of \d+ valid requests)/),
    })
  })

  it.each([
    ['a run of few cases', { runs: 25 }, {}],
    ['what rests on time', {}, { traits: ['timed'] }],
    ['what is advice', {}, { id: 'delete-collaboration/delete-twice' }],
    ['that valid requests are accepted', {}, { id: 'delete-collaboration/deletes' }],
  ] as const)(
    'but not %s',
    async (_, run, { id, ...check }: { id?: CheckId; traits?: readonly ['timed'] }) => {
      const result = await runCheck({ ...checkAgain(id), ...check }, await target(run))
      expect(result).toMatchObject({ outcome: 'passed', requests: 1 })
    },
  )
})
