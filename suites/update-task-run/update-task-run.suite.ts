/** §4.2 Update task run. The contract leaves transitions of a run open, so every judged update has a fresh run. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import { isOfOneThing } from '../../clauses/facts.ts'
import { sameText } from '../../clauses/texts.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureAnswers } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import type { Caller, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, Ordinary } from '../../runner/context/context.ts'
import { inTurn, isQuick } from '../../runner/effort.ts'
import { Discarded, NotApplicable, NotTested } from '../../runner/findings.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['taskOwner'], fixtures: ['taskRun'] })
const executing = 'executing'

type Context = CheckContext<'taskOwner', 'taskRun'>

check(
  'update-task-run/status-required',
  { title: 'Without status the request is refused.' },
  async (context) => {
    const { as, given, forAll, control, expect } = context
    const { controlled, tried } = context.target('update-task-run')
    const [whole, bare] = [await controlled(), await controlled('result')]
    // Another requirement judges whether an empty result is accepted.
    const empty: RequestFields = { ...bare.request, result: '' }
    for (const { request, answer } of [whole, bare, { ...bare, request: empty }]) {
      const { status: _, ...without } = request as RequestFields
      const probe = await tried((call) => call(as.taskOwner, without))
      expect(probe, answer).toKeep('update-task-run/status-required')
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
  const statuses = isQuick(run) ? [] : inTurn(listed, run.seed, 2)
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
  const results = reportedResults.slice(0, isQuick(configuration.run) ? 1 : 8)
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

check('update-task-run/statuses', {}, async (context) => {
  const { as, given, expect, openPoints, configuration } = context
  const { statuses = [], closed = false } = configuration.contract.run ?? {}
  const taken: Answer[] = []
  await context.forAll(
    fc.constantFrom(...statuses),
    async (status, at) => {
      const run = await given.taskRun()
      const update = (to: string) => as.taskOwner('update-task-run', run, { status: to, result: 'as listed' })
      let answer = await update(status)
      // Transitions are open, so it is also tried on a run that is executing.
      if (!isAccepted(answer) && statuses.includes(executing) && isAccepted(await update(executing)))
        answer = await update(status)
      if (!isAccepted(answer) && beginning.test(status))
        throw new Discarded(`a fresh run may be ${status} already, and which status may follow which is open`)
      expect(answer).toBeAccepted(`status: ${status}`, 'status')
      taken.push(answer)
      if (at < statuses.length)
        await openPoints.aside(async () => {
          const next = statuses[(at + 1) % statuses.length] as string
          const outcome = isAccepted(await update(next)) ? 'accepted' : 'refused'
          openPoints.observe('run-transitions', `${status}, then ${next}: ${outcome}`)
        })
      if (!closed) return
      const again = await as.taskOwner('update-task-run', run, { status: given.ids.unknownLike('unlisted') })
      expect(again, answer).toBeRefused('a status that is not listed was accepted the second time', 'status')
    },
    { most: 0, examples: statuses },
  )
  const [before] = taken
  if (closed && before !== undefined) await refusesOthers(context, statuses, before)
})

/** Expects statuses that are not listed to be refused. */
async function refusesOthers(context: Context, statuses: readonly string[], before: Answer): Promise<void> {
  const { as, given, expect, inSituations } = context
  const { tried } = context.target('update-task-run')
  const [first = ''] = statuses
  const cutShort = [...first].slice(0, -1).join('')
  const strange = [given.ids.unknownLike('unlisted'), `${first}x`, cutShort, '0', '']
  await inSituations(async () => {
    for (const status of strange.filter((each) => !statuses.includes(each)))
      expect(await tried((call) => call(as.taskOwner, { status, result: 'not listed' })), before).toBeRefused(
        `the status ${JSON.stringify(status)}, which is not listed, was accepted`,
        'status',
      )
  }, 3)
}

type Run = FixtureAnswers['taskRun']

/** A place at which the run must be refused. */
interface Elsewhere {
  readonly what: string
  readonly at: Run
}

/** Why ids that several tasks may share prove nothing. */
const countedRuns = 'the ids of runs seem to be counts, which another task may have as well'

check('update-task-run/run-of-task', {}, async (context) => {
  const { given, configuration } = context
  const { answer, subject } = await context.target('update-task-run').controlled()
  const run = await given.taskRun()
  const users = underOtherUsers(configuration, run)
  if (users.length > 0 && !isOfOneThing(run.runId) && !isOfOneThing(run.taskId))
    throw new NotApplicable(countedRuns)
  if (users.length > 0) return refusesElsewhere(context, run, users, answer)
  const elsewhere = await underAnotherTask(context, subject.at as Run)
  if (elsewhere === undefined)
    throw new NotTested('there is neither a second task nor a second user: offer another task run', [
      'fixtures.taskRun',
    ])
  return refusesElsewhere(context, elsewhere.run, [elsewhere.place], answer)
})

check(
  'update-task-run/run-of-task:another-task',
  { title: 'A run under another task is refused.', traits: ['cheap'] },
  async (context) => {
    const { answer, subject } = await context.target('update-task-run').controlled()
    const elsewhere = await underAnotherTask(context, subject.at as Run)
    if (elsewhere === undefined) throw new NotApplicable('the provider hands out runs of one task only')
    await refusesElsewhere(context, elsewhere.run, [elsewhere.place], answer)
  },
)

/** A run of another task than that one, under that task. Undefined if the provider hands out runs of one task only. */
async function underAnotherTask({ given }: Context, other: Run) {
  // Several tasks take turns, and other checks draw meanwhile, so the next run may be of the same task.
  const [run] = await given.different('taskRun', 1, { not: [other.taskId, other.runId], least: 0 })
  if (run === undefined) return undefined
  if (!isOfOneThing(run.runId)) throw new NotApplicable(countedRuns)
  return { run, place: { what: 'another task', at: { ...other, runId: run.runId } } }
}

/** Expects updates of the run to be refused at these places, before and after an update at its own. */
async function refusesElsewhere(
  context: Context,
  run: Run,
  places: readonly Elsewhere[],
  answer: Answer,
): Promise<void> {
  const { as, given, control, configuration, inSituations } = context
  const request = await given.request('update-task-run')
  const refuses = (request: RequestFields) =>
    refusesAt(context, places, { by: as.taskOwner, request, answer })
  await inSituations(() => refuses(request))
  // The id must be refused because of its place, also after the run was updated.
  control(await as.taskOwner('update-task-run', run, request))
  const { result: _, ...withoutResult } = request
  if (!isQuick(configuration.run)) await refuses(withoutResult)
}

/** Expects the request of that caller to be refused at each of these places. */
async function refusesAt(
  { expect }: Pick<Context, 'expect'>,
  places: readonly Elsewhere[],
  { by, request, answer }: Ordinary & { readonly by: Caller },
): Promise<void> {
  for (const { what, at } of places)
    expect(await by('update-task-run', at, request), answer).toBeRefused(`a run was updated under ${what}`)
}

/** Callers who may reach the runs of others also try a wrong user. Whether an administrator may is open. */
for (const [id, title, placesOf] of [
  [
    'update-task-run/unknown-run:administrator',
    'An unknown user, task or run is refused to an administrator as well.',
    ({ given }, run) =>
      (['runId', 'taskId', 'userName'] as const).map((part) => ({
        what: `an unknown ${part}`,
        at: { ...run, [part]: given.ids.unknownLike(run[part]) },
      })),
  ],
  [
    'update-task-run/run-of-task:administrator',
    'A task under another user is refused to an administrator as well.',
    ({ configuration }, run) => {
      if (!isOfOneThing(run.taskId) && !isOfOneThing(run.runId))
        throw new NotApplicable('the ids of tasks seem to be counts, which another user may have as well')
      return underOtherUsers(configuration, run)
    },
  ],
] as const satisfies (readonly [CheckId, string, (context: Context, run: Run) => Elsewhere[]])[])
  check(
    id,
    { whereThere: { actors: ['organizationAdministrator'] }, traits: ['cheap'], title },
    async (context) => {
      const { run, request, answer } = await updatedByAdministrator(context)
      const places = placesOf(context, run)
      if (places.length === 0) throw new NotApplicable('no other user is known')
      await refusesAt(context, places, { by: context.as.organizationAdministrator, request, answer })
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
  return { run, request, answer }
}

/** The run under two other users of the host, and one of another organization. */
function underOtherUsers({ actors }: Configuration, run: Run): Elsewhere[] {
  const others = Object.values(actors).filter(({ username }) => !sameText(run.userName, username))
  const namesOf = (isOfHost: boolean): Set<string> =>
    new Set(
      others
        .filter(({ portal }) => (portal === 'host') === isOfHost)
        .flatMap(({ username }) => username ?? []),
    )
  const names = new Set([...[...namesOf(true)].slice(0, 2), ...[...namesOf(false)].slice(0, 1)])
  return [...names].map((userName) => ({ what: `${userName}, another user`, at: { ...run, userName } }))
}
