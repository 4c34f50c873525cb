/** §4.2 Update task run. Transitions of a run are open: every judged update has a fresh run. */
import { inAnyCase } from '../clauses/letter-case.ts'
import { requestSchema } from '../schemas/request-schemas.ts'
import type { Configuration } from '../target/configuration/configuration.ts'
import { assertViolates, requiredFields } from './cases/violations.ts'
import { suite } from './check.ts'
import { fieldsOf, type Request } from './context/calls.ts'
import { NotTested } from './findings.ts'
import { observeTransitions } from './observing/parameters.ts'

const check = suite({ operation: 'update-task-run', actors: ['taskOwner'], fixtures: ['taskRun'] })
const schema = requestSchema('update-task-run')

const ids = (path: string): boolean => path === 'taskId' || path === 'runId'

check('update-task-run/updates', {}, async (context) => {
  const { as, given, forAll, expect } = context
  await forAll(
    given.requests('update-task-run', { text: 'ordinary', leaveOut: 'nothing' }),
    async ({ result, ...request }) => {
      for (const said of [{ result }, {}]) {
        const answer = await as.taskOwner('update-task-run', await given.taskRun(), {
          ...request,
          ...said,
          status: 'executing',
        })
        expect(answer).toBeAccepted()
        expect(answer).toMatch('update-task-run.response', ids)
      }
    },
    { share: 0.3, least: 3 },
  )
  await context.aside(() => observeTransitions(context))
})

check('update-task-run/identifiers', {}, async ({ as, given, forAll, expect }) => {
  await forAll(
    given.requests('update-task-run'),
    async (request) => {
      const run = await given.taskRun()
      const answer = await as.taskOwner('update-task-run', run, request)
      const same = inAnyCase([run.taskId, run.runId])
      expect(answer).field('taskId').toBe(run.taskId, same)
      expect(answer).field('runId').toBe(run.runId, same)
    },
    { share: 0.5, least: 8 },
  )
})

for (const field of requiredFields(schema)) {
  check(
    'update-task-run/status-required',
    { title: `Without ${field} the request is refused.` },
    async ({ as, given, forAll, control, expect, configuration }) => {
      await forAll(
        given.requests('update-task-run', { text: 'ordinary', leaveOut: 'nothing' }),
        async ({ result, ...request }) => {
          for (const said of [{ result }, {}]) {
            const whole: Request = { ...request, ...said }
            const before = await as.taskOwner('update-task-run', await given.taskRun(), whole)
            control(before)
            const { [field]: _, ...without } = whole
            assertViolates(schema, fieldsOf(configuration, 'update-task-run', without), {
              field,
              keyword: 'required',
            })
            const probe = await as.taskOwner('update-task-run', await given.taskRun(), without)
            expect(probe, before).toBeRefused(() => `the request without ${field} was accepted`, field)
          }
        },
        { share: 0.15, least: 2 },
      )
    },
  )
}

check('update-task-run/result-optional', {}, async ({ as, given, expect }) => {
  expect(await as.taskOwner('update-task-run', await given.taskRun(), { status: 'executing' })).toBeAccepted(
    'without result',
  )
})

check('update-task-run/result-empty', {}, async ({ as, given, expect }) => {
  const request = { status: 'executing', result: '' }
  expect(await as.taskOwner('update-task-run', await given.taskRun(), request)).toBeAccepted(
    'with result=',
    'result',
  )
})

check('update-task-run/result-text', {}, async ({ as, given, forAll, expect }) => {
  await forAll(
    given.requests('update-task-run', { leaveOut: 'nothing' }),
    async (request) => {
      const answer = await as.taskOwner('update-task-run', await given.taskRun(), request)
      expect(answer).toBeAccepted(`result: ${JSON.stringify(request.result)}`, 'result')
    },
    { least: 12 },
  )
})

check('update-task-run/statuses', {}, async ({ as, given, control, expect, configuration, unknownLike }) => {
  const { statuses, closed = false } = configuration.contract.run as {
    statuses: readonly string[]
    closed?: boolean
  }
  const update = async (request: Request) => as.taskOwner('update-task-run', await given.taskRun(), request)
  for (const status of statuses)
    expect(await update({ status, result: 'as listed' })).toBeAccepted(`status: ${status}`, 'status')
  if (!closed) return
  const before = await update({ status: statuses[0], result: 'as listed' })
  control(before)
  const beginning = [...(statuses[0] as string)].slice(0, -1).join('')
  const strange = [unknownLike('unlisted'), `${statuses[0]}x`, beginning, '0', '']
  for (const status of strange.filter((each) => !statuses.includes(each))) {
    expect(await update({ status, result: 'not listed' }), before).toBeRefused(
      () => `the status ${JSON.stringify(status)}, which is not listed, was accepted`,
      'status',
    )
  }
})

check('update-task-run/unknown-run', {}, async ({ as, given, forAll, control, expect, unknownLike }) => {
  await forAll(
    given.requests('update-task-run', { text: 'ordinary' }),
    async (request) => {
      control(await as.taskOwner('update-task-run', await given.taskRun(), request))
      const run = await given.taskRun()
      for (const part of ['runId', 'taskId', 'userName'] as const) {
        const unknown = { ...run, [part]: unknownLike(run[part]) }
        expect(await as.taskOwner('update-task-run', unknown, request)).toBeRefused(
          () => `an unknown ${part} was accepted`,
        )
      }
    },
    { share: 0.1, least: 2 },
  )
})

check('update-task-run/run-of-task', {}, async ({ as, given, control, expect, configuration }) => {
  const request = await given.request('update-task-run')
  const before = await as.taskOwner('update-task-run', await given.taskRun(), request)
  control(before)
  const [run, other] = [await given.taskRun(), await given.taskRun()]
  const users = usersBeside(configuration, run.userName)
  const places = [
    ...(other.taskId === run.taskId ? [] : [{ what: 'another task', at: { ...other, runId: run.runId } }]),
    ...users.map((userName) => ({ what: `${userName}, another user`, at: { ...run, userName } })),
  ]
  if (places.length === 0)
    throw new NotTested('there is neither a second task nor a second user: offer another task run', [
      'fixtures.taskRun',
    ])
  for (const { what, at } of places)
    expect(await as.taskOwner('update-task-run', at, request), before).toBeRefused(
      () => `a run was updated under ${what}, to whom it does not belong`,
    )
  // Refused for its place, and not for itself.
  control(await as.taskOwner('update-task-run', run, request))
})

/** Users of the host who exist, and are not that one. */
function usersBeside({ actors }: Configuration, userName: string): string[] {
  const names = Object.values(actors).flatMap(({ username, portal }) =>
    username === undefined || portal !== 'host' ? [] : [username],
  )
  return [...new Set(names)].filter((name) => name.toLowerCase() !== userName.toLowerCase()).slice(0, 2)
}
