/** §4.2 Update task run. The contract leaves transitions of a run open, so every judged update has a fresh run. */
import fc from 'fast-check'
import { acceptance, isAccepted } from '../../clauses/acceptance.ts'
import { isOfOneThing } from '../../clauses/facts.ts'
import { sameText } from '../../clauses/texts.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureAnswers } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { assertViolates } from '../../runner/cases/boundaries.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import { fieldsOf, type RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { inTurn, isQuick, tries } from '../../runner/effort.ts'
import { Discarded, NotApplicable, NotTested } from '../../runner/findings.ts'
import { requestSchema } from '../../schemas/catalogue.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['taskOwner'], fixtures: ['taskRun'] })
const schema = requestSchema('update-task-run')
const executing = 'executing'

type Context = CheckContext<'taskOwner', 'taskRun'>

check(
  'update-task-run/status-required',
  { title: 'Without status the request is refused.' },
  async (context) => {
    const { as, given, forAll, control, expect, configuration } = context
    const { controlled, tried } = context.target('update-task-run')
    const refuses = async ({ status: _, ...without }: RequestFields, before: Answer): Promise<void> => {
      const fields = fieldsOf(configuration, 'update-task-run', without)
      assertViolates(schema, fields, { field: 'status', keyword: 'required' })
      const probe = await tried((call) => call(as.taskOwner, without))
      expect(probe, before).toKeep('update-task-run/status-required')
    }
    for (const left of [undefined, 'result']) {
      const { request, answer } = await controlled(left)
      await refuses(request, answer)
      // Another requirement judges whether an empty result is accepted.
      if (left === 'result') await refuses({ ...request, result: '' }, answer)
    }
    await forAll(
      given.requests('update-task-run', { text: 'ordinary', leaveOut: 'nothing' }),
      async (request) => {
        const run = await given.taskRun()
        const { status: _, ...without } = request
        const early = await as.taskOwner('update-task-run', run, without)
        const before = await as.taskOwner('update-task-run', run, request)
        control(before)
        expect(early, before).toKeep('update-task-run/status-required')
        // An earlier result is not enough either.
        expect(await as.taskOwner('update-task-run', run, without), before).toBeRefused(
          'the request without status was accepted the second time',
          'status',
        )
      },
      { cases: 'some', judged: 1 },
    )
  },
)

check('update-task-run/result-optional', {}, async (context) => {
  context
    .expect((await context.target('update-task-run').accepted('result')).answer)
    .toBeAccepted('without result')
  await withStatuses(context, {}, 'without result', 1)
})

check('update-task-run/result-empty', {}, (context) => withStatuses(context, { result: '' }, 'with result='))

/** Updates runs to executing, and from there to other listed statuses. `said`: the result to send with each. */
async function withStatuses(context: Context, said: RequestFields, what: string, judged = 0): Promise<void> {
  const { contract, run } = context.configuration
  const listed = (contract.run?.statuses ?? []).filter((status) => status !== executing)
  // Different ones for each seed.
  const statuses = tries('short', run) ? inTurn(listed, run.seed, 2) : []
  const { as, given, expect } = context
  await context.forAll(
    fc.constantFrom(executing, ...statuses),
    async (status) => {
      const update = async (result: RequestFields): Promise<Answer> => {
        const run = await given.taskRun()
        // The first status of a run is open, and so is whether an update must change something.
        if (status !== executing) await as.taskOwner('update-task-run', run, { status: executing })
        return as.taskOwner('update-task-run', run, { status, ...result })
      }
      const answer = await update(said)
      if (status !== executing && !isAccepted(answer) && !isAccepted(await update({ result: 'done' })))
        throw new Discarded(`the target does not accept the status ${status} for a run that is executing`)
      expect(answer).toBeAccepted(`status: ${status}, ${what}`, 'result')
    },
    { cases: 'few', judged, examples: [executing, ...statuses] },
  )
}

/** Results as tasks report them: a page of text, a line for each step, and what programs print for nothing. */
const reportedResults: readonly string[] = [
  'Item 1 was copied. '.repeat(60).trim(),
  'Copied: 12 items 🚀\nSkipped: 3 items 𠀀\nFailed: 0 items\nहिन्दी நன்றி ไทยนี้ বাংলা',
  'Copied 100 % of all items & x = y (see #7), $ [final] a_b^c ~ *done*! See https://example.org/runs/7/log or North/South.txt: 12 items/min + 3 more @ 17:05 {ok} - ready?',
  'null',
  'true',
  '0',
  'a',
  '{"copied": 12, "failed": []}',
  '[{"item": "roads", "copied": true}]',
  '"done"',
  "12 items of the city's were copied",
]

/** How many of the other results each run is sent. A quick run has one task run, which gets all. */
const othersOnRun = ({ runs }: { readonly runs: number }): number =>
  isQuick({ runs }) ? reportedResults.length : 3

check('update-task-run/result-text', {}, async (context) => {
  const { as, given, forAll, expect, configuration, situation } = context
  // Each needs its own run.
  const results = reportedResults.slice(0, tries('short', configuration.run) ? 8 : 1)
  const requests = given.requests('update-task-run', { leaveOut: 'nothing' })
  // Of several lines: runs are few, and other checks send single lines.
  const lines = requests.map(
    (request): RequestFields => ({
      ...request,
      result: `${request.result}\n${request.result}`,
    }),
  )
  await forAll(
    fc.tuple(lines, requests),
    async ([request, next], at) => {
      const run = await given.taskRun()
      const update = (result: unknown) => as.taskOwner('update-task-run', run, { ...request, result })
      const expectAccepted = (answer: Answer, result: unknown) =>
        expect(answer).toBeAccepted(`result: ${JSON.stringify(result)}`, 'result')
      expectAccepted(await update(request.result), request.result)
      if (situation() !== 'plain') return
      // The contract leaves second updates of a run open. If they are accepted, the run gets other texts too, since runs are few.
      const others =
        at < results.length ? inTurn(reportedResults, at + 1, othersOnRun(configuration.run)) : [next.result]
      for (const result of others.filter((each) => each !== request.result)) {
        const answer = await update(result)
        if (isAccepted(answer)) continue
        if (!isAccepted(await update('done'))) break
        expectAccepted(answer, result)
      }
    },
    {
      cases: 'some',
      examples: results.map((result): [RequestFields, RequestFields] => [{ status: executing, result }, {}]),
    },
  )
})

/** Statuses in which runs begin. A run need not accept them later. */
const beginning = /^(?:scheduled|pending|queued|waiting|new|created|not.?started|ready)$/i

/** The accepted answer to that status on an executing run, otherwise undefined. Observes either, since transitions are open. */
async function afterExecuting(
  { configuration, openPoints }: Context,
  status: string,
  update: (to: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (status === executing || configuration.contract.run?.statuses.includes(executing) !== true)
    return undefined
  if (!isAccepted(await update(executing))) return undefined
  const answer = await update(status)
  const accepted = isAccepted(answer)
  openPoints.observe(
    'run-transitions',
    `as it was, then ${status}: refused; ${executing}, then ${status}: ${accepted ? 'accepted' : 'refused'}`,
  )
  return accepted ? answer : undefined
}

check('update-task-run/statuses', {}, async (context) => {
  const { as, given, control, expect, openPoints, configuration, inSituations } = context
  const { statuses, closed = false } = configuration.contract.run as {
    statuses: readonly string[]
    closed?: boolean
  }
  const taken: Answer[] = []
  await context.forAll(
    fc.constantFrom(...statuses),
    async (status, at) => {
      const run = await given.taskRun()
      const update = (to: string) => as.taskOwner('update-task-run', run, { status: to, result: 'as listed' })
      const first = await update(status)
      const answer = isAccepted(first) ? first : ((await afterExecuting(context, status, update)) ?? first)
      if (!isAccepted(answer) && beginning.test(status))
        throw new Discarded(`a fresh run may be ${status} already, and which status may follow which is open`)
      expect(answer).toBeAccepted(`status: ${status}`, 'status')
      taken.push(answer)
      const next = statuses[(statuses.indexOf(status) + 1) % statuses.length] as string
      if (at < statuses.length)
        await context.openPoints.aside(async () => {
          const { accepted } = acceptance(
            await as.taskOwner('update-task-run', run, { status: next, result: '' }),
          )
          openPoints.observe(
            'run-transitions',
            `${status}, then ${next}: ${accepted ? 'accepted' : 'refused'}`,
          )
        })
      if (!closed) return
      const again = await as.taskOwner('update-task-run', run, { status: given.ids.unknownLike('unlisted') })
      expect(again, answer).toBeRefused('a status that is not listed was accepted the second time', 'status')
    },
    { most: 0, examples: statuses },
  )
  const [before] = taken
  if (!closed || before === undefined) return
  control(before)
  const cutShort = [...(statuses[0] as string)].slice(0, -1).join('')
  const strange = [given.ids.unknownLike('unlisted'), `${statuses[0]}x`, cutShort, '0', '']
  await inSituations(async () => {
    for (const status of strange.filter((each) => !statuses.includes(each))) {
      const probe = await context
        .target('update-task-run')
        .tried((call) => call(as.taskOwner, { status, result: 'not listed' }))
      expect(probe, before).toBeRefused(
        `the status ${JSON.stringify(status)}, which is not listed, was accepted`,
        'status',
      )
    }
  }, 3)
})

check('update-task-run/run-of-task', {}, async (context) => {
  const { as, given, control, expect, configuration, inSituations } = context
  const request = await given.request('update-task-run')
  const { answer: before, subject } = await context.target('update-task-run').controlled()
  const run = await given.taskRun()
  const other = subject.at as FixtureAnswers['taskRun']
  const users = usersBeside(configuration, run.userName)
  const places = [
    ...(other.taskId === run.taskId || other.runId === run.runId
      ? []
      : [{ what: 'another task', at: { ...other, runId: run.runId } }]),
    ...users.map((userName) => ({ what: `${userName}, another user`, at: { ...run, userName } })),
  ].filter(({ at }) => isOfOneThing(at.runId) || (at.taskId === run.taskId && isOfOneThing(at.taskId)))
  if (!isOfOneThing(run.runId) && places.length === 0)
    throw new NotApplicable('the ids of runs seem to be counts, which another task may have as well')
  if (places.length === 0)
    throw new NotTested('there is neither a second task nor a second user: offer another task run', [
      'fixtures.taskRun',
    ])
  const refuses = async (request: RequestFields): Promise<void> => {
    for (const { what, at } of places)
      expect(await as.taskOwner('update-task-run', at, request), before).toBeRefused(
        `a run was updated under ${what}`,
      )
  }
  await inSituations(() => refuses(request))
  // The id must be refused because of its place, also after the run was updated.
  control(await as.taskOwner('update-task-run', run, request))
  const { result: _, ...withoutResult } = request
  if (!isQuick(configuration.run)) await refuses(withoutResult)
})

/** Callers who may reach the runs of others also try a wrong user. Whether an administrator may is open. */
const byAdministrator = {
  whereThere: { actors: ['organizationAdministrator'] },
  traits: ['cheap'],
} as const

check(
  'update-task-run/unknown-run:administrator',
  {
    ...byAdministrator,
    title: 'An unknown user, task or run is refused to an administrator as well.',
  },
  async (context) => {
    const { as, expect, given, configuration } = context
    const { run, request, before } = await updatedByAdministrator(context)
    const once = ['runId', 'taskId', 'userName'] as const
    const parts = isQuick(configuration.run) ? once : [...once, ...once]
    for (const part of parts) {
      const at = { ...run, [part]: given.ids.unknownLike(run[part]) }
      expect(await as.organizationAdministrator('update-task-run', at, request), before).toBeRefused(
        `an unknown ${part} was accepted from an administrator: ${at[part]}`,
      )
    }
  },
)

check(
  'update-task-run/run-of-task:administrator',
  {
    ...byAdministrator,
    title: 'A task under another user is refused to an administrator as well.',
  },
  async (context) => {
    const { as, expect, configuration } = context
    const { run, request, before } = await updatedByAdministrator(context)
    if (!isOfOneThing(run.taskId) && !isOfOneThing(run.runId))
      throw new NotApplicable('the ids of tasks seem to be counts, which another user may have as well')
    const users = usersBeside(configuration, run.userName)
    if (users.length === 0) throw new NotApplicable('no other user of the host is known')
    for (const userName of users)
      expect(
        await as.organizationAdministrator('update-task-run', { ...run, userName }, request),
        before,
      ).toBeRefused(`a run was updated under ${userName}, another user, by an administrator`)
  },
)

/** A run that an administrator updated, shared by all checks. */
async function updatedByAdministrator({
  as,
  given,
}: CheckContext<'taskOwner' | 'organizationAdministrator', 'taskRun'>) {
  const { run, request, answer } = await given.accepted('update-task-run by an administrator', async () => {
    const [run, request] = [await given.taskRun(), await given.request('update-task-run')]
    return { run, request, answer: await as.organizationAdministrator('update-task-run', run, request) }
  })
  if (!isAccepted(answer)) throw new NotApplicable('an administrator may not update the runs of others here')
  return { run, request, before: answer }
}

/** Two other users of the host, and one of another organization. */
function usersBeside({ actors }: Configuration, userName: string): string[] {
  const others = Object.values(actors).filter(({ username }) => !sameText(userName, username))
  const namesOf = (isOfHost: boolean): string[] => [
    ...new Set(
      others.flatMap(({ username, portal }) =>
        username !== undefined && (portal === 'host') === isOfHost ? [username] : [],
      ),
    ),
  ]
  return [...new Set([...namesOf(true).slice(0, 2), ...namesOf(false).slice(0, 1)])]
}
