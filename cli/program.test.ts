import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { requirements } from '../specs/requirements.ts'
import { observedContext } from './process/command-context.fixture.ts'
import { commandLine, runProgram } from './program.ts'

async function outcome(...words: string[]) {
  const commandContext = observedContext()
  const code = await runProgram(words, commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pc-program-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

test.each([
  [['run'], /no target\. .*Name the target:[\s\S]*--config FILE[\s\S]*--reference[\s\S]*\binit\b/],
  [['run', '--config', 'a.yaml', '--reference'], /--config and --reference exclude each other/],
  [['run', '--config', 'a.yaml', '--fault', 'x'], /they need --reference/],
  [['run', '--config', 'none.yaml'], /none\.yaml: cannot be read: there is no such file/],
  [['run', '--reference', '--fault', 'nope'], /There is no fault "nope"\. The nearest: /],
  [['run', '--reference', '--requirement', 'nope/*'], /--requirement nope\/\*: matches nothing; near are /],
  [['run', '--reference', '--reporter', 'xml'], /There is no reporter xml/],
  [['run', '--reference', '--seed', '99999999999'], /--seed: /],
  [['run', '--refrence'], /unknown option '--refrence'/],
  [['run', '--dry-run'], /no target/],
  [['nope'], /unknown command 'nope'\n+What there is: portal-conformance --help\n/],
  [['report'], /missing required argument 'RESULTS'\n+What is expected: portal-conformance report --help\n/],
  [[], /Usage: portal-conformance/],
  [
    ['requirements', '--operation', 'nope'],
    /--operation nope: there is no such operation\. Known are protocol, /,
  ],
  [['requirements', '--level', 'should'], /Allowed choices are must, implied, advice/],
])('%j ends with 2 and says why on stderr', async (words, message) => {
  const { code, out, err } = await outcome(...words)
  expect(err).toMatch(message)
  expect([code, out]).toEqual([2, ''])
})

test('all problems of a configuration are reported, one a line', async () => {
  const file = join(emptyDirectory(), 'bad.yaml')
  writeFileSync(file, 'target: { baseURL: x }\n')
  const { code, err } = await outcome('run', '--config', file)
  expect(code).toBe(2)
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringContaining('portals: missing'),
    expect.stringContaining('target.baseUrl: missing'),
    expect.stringContaining('did you mean baseUrl?'),
  ])
})

test('help is no error and goes to stdout', async () => {
  for (const words of [['--help'], ['run', '--help'], ['help', 'doctor']]) {
    const { code, out, err } = await outcome(...words)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Usage: portal-conformance')
  }
})

test('the help names the arguments that each command declares', async () => {
  const { out } = await outcome('--help')
  const { commands } = await commandLine(observedContext(), () => undefined)
  for (const command of commands.filter((each) => each.name() !== 'help')) {
    const taken = command.registeredArguments.map((each) => ` <${each.name()}${each.variadic ? '...' : ''}>`)
    expect(out).toMatch(new RegExp(`^  ${command.name()} \\[options\\]${taken.join('')} {2,}`, 'm'))
  }
})

test('requirements: the filters and the formats', async () => {
  const all = await outcome('requirements', '--format', 'json')
  expect(JSON.parse(all.out)).toEqual(requirements)
  const some = await outcome('requirements', '--operation', 'lifecycle', '--format', 'markdown')
  const { text } = requirements.find(({ id }) => id === 'lifecycle/consistent')!
  expect(some.out).toBe(
    `| id | level | § | must hold |\n| --- | --- | --- | --- |\n| lifecycle/consistent | implied | §4 | ${text} |\n\n`,
  )
  const table = await outcome('requirements', '--operation', 'update-federation', '--level', 'advice')
  expect(table.out).toMatch(/^update-federation\/idempotent +advice +§4\.7 +\S/m)
})

test('run --dry-run: what would be judged, and the reasons for what would not', async () => {
  const { code, out } = await outcome(
    'run',
    '--dry-run',
    '--reference',
    '--operation',
    'add-workspace',
    '--effects',
    'sync-workspace',
  )
  expect(code).toBe(0)
  expect(out).toMatch(/Add workspace \(§4\.1\): 0 of \d+ checks\n/)
  expect(out).toMatch(
    /– not tested: effects does not allow add-workspace on this deployment\n {6}add-workspace\/creates, /,
  )
  expect(out).not.toContain('not selected')
  const whole = await outcome('run', '--dry-run', '--reference')
  expect(whole.out).toMatch(/\n(\d+) of \1 checks would be judged\.\n$/)
})

test('serve: a configuration that is ready for run, until interrupted', async () => {
  const commandContext = observedContext()
  const serving = runProgram(['serve'], commandContext)
  while (commandContext.signals.listenerCount('SIGINT') === 0 || commandContext.printed() === '')
    await sleep(5)
  const { target, fixtures } = parse(commandContext.printed())
  const answer = await fetch(`${fixtures.url}/group`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(200)
  expect(commandContext.printed()).toContain(
    `# The embedded portal answers at ${target.baseUrl} until interrupted`,
  )
  commandContext.signals.emit('SIGINT')
  expect(await serving).toBe(0)
  await expect(fetch(fixtures.url)).rejects.toThrow()
})

test('serve --log: a line for each request without its query; pages of this machine may read the answers', async () => {
  const commandContext = observedContext()
  const serving = runProgram(['serve', '--log'], commandContext)
  while (commandContext.signals.listenerCount('SIGINT') === 0 || commandContext.printed() === '')
    await sleep(5)
  const { target } = parse(commandContext.printed())
  const askedFrom = (origin: string, method: string) =>
    fetch(`${target.baseUrl}?f=json&token=secret`, { method, headers: { origin } })
  const page = 'http://localhost:5173'
  const allowed = 'access-control-allow-origin'
  const [preflight, answer, stranger] = [
    await askedFrom(page, 'OPTIONS'),
    await askedFrom(page, 'GET'),
    await askedFrom('https://elsewhere.example', 'GET'),
  ]
  expect([preflight.status, preflight.headers.get(allowed)]).toEqual([204, page])
  expect([answer.status, answer.headers.get(allowed)]).toEqual([200, page])
  expect(stranger.headers.get(allowed)).toBeNull()
  expect(commandContext.complained()).toMatch(
    /^[\d:.]+ OPTIONS \/sharing\/rest 204 \d+ ms\n[\d:.]+ GET \/sharing\/rest 200 \d+ ms\n/,
  )
  expect(commandContext.complained()).not.toContain('secret')
  commandContext.signals.emit('SIGINT')
  expect(await serving).toBe(0)
})

test('run from code: one operation with a fault, into results.json', async () => {
  const out = join(emptyDirectory(), 'report')
  const words = [
    'run',
    '--reference',
    '--fault',
    'name-shortened',
    '--requirement',
    'add-workspace/name-limit-*',
  ]
  const { code, out: printed } = await outcome(
    ...words,
    '--runs',
    '3',
    '--seed',
    '7',
    '--reporter',
    'json',
    '--out',
    out,
  )
  expect([code, printed]).toEqual([1, `${join(out, 'results.json')}\n`])
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))
  const failed = results.requirements.filter((each: { outcome: string }) => each.outcome === 'failed')
  expect(failed).toMatchObject([
    {
      id: 'add-workspace/name-limit-rejects',
      checks: expect.arrayContaining([
        expect.objectContaining({
          failure: expect.objectContaining({
            repeat:
              'portal-conformance run --reference --fault name-shortened --seed 7 --runs 3 --requirement add-workspace/name-limit-rejects',
          }),
        }),
      ]),
    },
  ])
  expect(results).toMatchObject({ run: { seed: 7, runs: 3 }, verdict: 'non-conformant', complete: true })
})
