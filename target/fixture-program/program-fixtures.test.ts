import { realpathSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { FixtureClient } from '../fixture-client.ts'
import { FixtureFailure } from '../fixture-errors.ts'
import type { FixtureProvider } from '../fixture-kinds.ts'
import { openFixtures } from '../fixture-sources.ts'
import { answering, written } from './folder.fixture.ts'
import { type ProgramFixtures, startProgramFixtures } from './program-fixtures.ts'

function started(program: string, answerMs?: number): ProgramFixtures {
  const fixtures = startProgramFixtures(written(program), answerMs)
  onTestFinished(() => fixtures.close())
  return fixtures
}

function providerOf(program: string, answerMs?: number): Required<FixtureProvider> {
  return started(program, answerMs).provider as Required<FixtureProvider>
}

const run = { runId: 'pc-1' }

test('each request is one line with kind, options and run; answers find their requests in any order', async () => {
  const provider = providerOf(
    answering(`
  globalThis.kept = [...(globalThis.kept ?? []), asked]
  if (kept.length === 3) for (const { id, ...rest } of kept.reverse()) say({ id, fixture: rest })`),
  )
  const all = await Promise.all([
    provider.group({}, run),
    provider.items({ owner: 'itemOwner', count: 2 }, {}),
    provider.cleanup(run),
  ])
  expect(all.slice(0, 2)).toEqual([
    { kind: 'group', options: {}, runId: 'pc-1' },
    { kind: 'items', options: { owner: 'itemOwner', count: 2 } },
  ])
})

test('a fixture may hold any text; what is not offered and what failed is told with the reason', async () => {
  const provider = providerOf(
    answering(`
  if (asked.kind === 'group') say({ id: asked.id, fixture: { groupId: 'é𝄞 "\\n"' } })
  if (asked.kind === 'taskRun') say({ id: asked.id, notOffered: 'the scheduler is off' })
  if (asked.kind === 'federation') say({ id: asked.id, error: 'no permission' })
  if (asked.kind === 'participant') say({ id: asked.id, fixtures: {} })`),
  )
  expect(await provider.group({}, {})).toEqual({ groupId: 'é𝄞 "\n"' })
  expect(await provider.taskRun({}, {})).toEqual({ notOffered: 'the scheduler is off' })
  await expect(provider.federation({}, {})).rejects.toThrow(/^no permission$/)
  await expect(provider.participant({}, {})).rejects.toThrow(
    'answered a request for participant without fixture, notOffered and error: one of them is needed',
  )
})

test.each<[string, string, RegExp]>([
  [
    'dies',
    'console.error("no module named portal"); process.exit(3)',
    /ended with code 3 \(it said last: no module named portal\); it must answer until its input ends: run it by hand/,
  ],
  [
    'dies when it is asked',
    answering('process.kill(process.pid, "SIGKILL")'),
    /(was ended by SIGKILL|ended with code 137)/,
  ],
  ['ends early', 'process.stdin.unref()', /ended with code 0; it must answer until its input ends/],
  [
    'prints what is no JSON',
    answering('console.log("Creating a group")'),
    /printed what is no answer: Creating a group; only answers may go to stdout, all else belongs on stderr$/,
  ],
  ['prints JSON that is no answer', answering('say("x".repeat(300))'), /no answer: "x{99}…; only answers/],
  ['leaves out the id', answering('say({ fixture: {} })'), /no answer: {"fixture":{}};/],
  [
    'answers another id',
    answering('say({ id: 7, fixture: {} })'),
    /answered the id 7, which no request waits for; an answer repeats the id of its request, once$/,
  ],
  [
    'prints without end',
    answering('const more = () => process.stdout.write("x".repeat(65536), more); more()'),
    /printed a line of more than 1048576 characters/,
  ],
])('a program that %s fails in one line that says what to do', async (_, program, message) => {
  const provider = providerOf(program)
  const failure = await Promise.resolve(provider.group({}, {})).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(Error)
  expect((failure as Error).message).toMatch(message)
  expect((failure as Error).message).toMatch(/^fixtures\.command: the program [^\n]+$/)
  // Nothing that it says later is relied upon.
  await expect(provider.taskRun({}, {})).rejects.toThrow((failure as Error).message)
})

test('a program that does not answer is not asked again, but told to clean up', async () => {
  const provider = providerOf(answering('if (asked.kind === "cleanup") say({ id: asked.id })'), 1500)
  const late =
    /did not answer {"id":1,"kind":"group"} within 1500ms; each line that it reads must be answered by a line, and its output be flushed$/
  await expect(provider.group({}, {})).rejects.toThrow(late)
  await expect(provider.group({}, {})).rejects.toThrow(late)
  await provider.cleanup({})
})

test('a cleanup that fails is told, also by a program that is gone', async () => {
  const failing = providerOf(answering('say({ id: asked.id, error: "two collaborations are left" })'))
  await expect(failing.cleanup({})).rejects.toThrow(/^two collaborations are left$/)
  const gone = providerOf('process.exit(1)')
  await expect(gone.cleanup({})).rejects.toThrow('ended with code 1')
})

test('a command that there is not, and a folder that there is not', async () => {
  const { folder } = written('')
  const none = startProgramFixtures({ command: 'no-such-program-here', folder })
  onTestFinished(() => none.close())
  await expect(none.provider.group?.({}, {})).rejects.toThrow(
    /the program ended with code \d+ \(it said last: .*no-such-program-here.*\)/,
  )
  const nowhere = startProgramFixtures({ command: 'true', folder: `${folder}/none` })
  onTestFinished(() => nowhere.close())
  await expect(nowhere.provider.group?.({}, {})).rejects.toThrow('the program could not be started: ')
})

test('what it says on stderr is heard from the first line on, within bounds', async () => {
  const fixtures = started(
    answering(`
  for (let line = 0; line < 50; line++) console.error(line + ' ' + 'x'.repeat(line === 1 ? 5000 : 1))
  console.error('and a line without an end')
  say({ id: asked.id, fixture: { groupId: 'g' } })`),
  )
  await fixtures.provider.group?.({}, {})
  const heard: string[] = []
  fixtures.hear((line) => heard.push(line))
  await fixtures.close()
  expect(heard).toHaveLength(21)
  expect(heard[0]).toBe('0 x')
  expect(heard[1]).toBe(`1 ${'x'.repeat(298)}…`)
  expect(heard.slice(19)).toEqual(['19 x', 'it says more, which is not shown'])
})

test('a program is started in the folder, asked, heard, and gone in the end', async () => {
  const { command, folder } = written(
    answering(`
  console.error('asked for ' + asked.kind)
  say({ id: asked.id, fixture: { groupId: process.cwd() + ' ' + asked.runId } })`),
  )
  const opened = await openFixtures({ command, folder })
  const client = new FixtureClient(opened.url, { runId: 'pc-7' })
  expect(await client.obtain('group', {})).toEqual({ groupId: `${realpathSync(folder)} pc-7` })
  expect(await opened.cleanup('pc-7')).toBe('done')
  await opened.close()
  const heard: string[] = []
  opened.hear((line) => heard.push(line))
  expect(heard).toEqual(['asked for group', 'asked for cleanup'])
  await client.cleanup().catch(() => undefined)
})

test('what a program got wrong is told as the reason', async () => {
  const opened = await openFixtures(written('console.log("hello"); process.stdin.resume()'))
  onTestFinished(() => opened.close())
  const client = new FixtureClient(opened.url)
  await expect(client.obtain('group', {})).rejects.toThrow(
    new FixtureFailure(
      'fixture "group" {}: the provider answered HTTP 500: fixtures.command: the program printed what is no answer: hello; only answers may go to stdout, all else belongs on stderr',
    ),
  )
})
