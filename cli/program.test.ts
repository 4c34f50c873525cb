import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../runner/manifest.json' with { type: 'json' }
import { requirementIdOf, requirements } from '../specs/requirements.ts'
import { helpProse } from './arguments/option-values.ts'
import { observedContext } from './process/command-context.fixture.ts'
import { command, runInProcess } from './process/in-process.fixture.ts'
import { testFolder } from './process/test-folder.fixture.ts'
import { commandLine, runProgram } from './program.ts'

test('help exits with 0 and prints to stdout', async () => {
  for (const line of ['--help', 'run --help', 'help doctor']) {
    const { code, out, err } = await command(line)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Usage: portal-conformance')
  }
})

test('help fits into 80 columns, with a line for each command', async () => {
  const { out } = await command('--help')
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(out).toMatch(/\nCommands:\n( {2}[a-z].*\n)+\nBegin here:\n/)
})

test('an empty argument is refused', async () => {
  const { code, err } = await command('report', '')
  expect([code, err]).toEqual([2, 'an argument is empty: a file or another value is expected\n'])
})

test('help lists each command with its declared arguments', async () => {
  const { out } = await command('--help')
  const { commands } = await commandLine(observedContext(), () => undefined)
  for (const each of commands.filter((each) => each.name() !== 'help')) {
    const taken = each.registeredArguments.map((one) => ` <${one.name()}${one.variadic ? '...' : ''}>`)
    expect(out).toMatch(new RegExp(`^  ${each.name()} \\[options\\]${taken.join('')} {2,}`, 'm'))
  }
})

test('help wraps prose at the width of the terminal, and does not wrap examples', () => {
  const example = "  program --with 'an example that is not to be wrapped, however long it is'"
  const prose = 'Prose that stands in\nlines as wide as they came.'
  let out = ''
  const program = new Command('program')
    .addHelpText('after', helpProse(`${example}\n\n${prose}`))
    .configureHelp({ helpWidth: 40 })
    .configureOutput({ writeOut: (written) => (out += written) })
  program.outputHelp()
  expect(out).toContain(`${example}\n\nProse that stands in lines as wide as\nthey came.\n`)
})

test('requirements filters by operation and level, and prints JSON, Markdown or a table', async () => {
  const all = await command('requirements --format json')
  const printed: { id: string; checks: string[] }[] = JSON.parse(all.out)
  expect(printed).toMatchObject(requirements)
  for (const { id, checks } of printed) expect(checks.map(requirementIdOf)).toEqual(checks.map(() => id))
  expect(printed.flatMap(({ checks }) => checks).sort()).toEqual([...manifest.checks].sort())
  const some = await command('requirements --operation lifecycle --format markdown')
  const { text } = requirements.find(({ id }) => id === 'lifecycle/consistent')!
  expect(some.out).toBe(
    `| id | level | § | must hold |\n| --- | --- | --- | --- |\n| lifecycle/consistent | implied | §4 | ${text} |\n\n`,
  )
  const table = await command('requirements --operation update-federation --level advice')
  expect(table.out).toMatch(/^update-federation\/idempotent +advice +§4\.7 +\S/m)
})

test('run --dry-run lists the checks it would judge, and the reasons for the others', async () => {
  const { code, out } = await command(
    'run --dry-run --reference --operation add-workspace --effects sync-workspace',
  )
  expect(code).toBe(0)
  expect(out).toMatch(/Add workspace \(§4\.1\): 0 of \d+ checks\n/)
  expect(out).toMatch(
    /– not tested: effects does not allow add-workspace on this deployment\n {6}add-workspace\/creates, /,
  )
  expect(out).not.toContain('not selected')
  const whole = await command('run --dry-run --reference')
  expect(whole.out).toMatch(/\n(\d+) of \1 checks would be judged\.\n$/)
})

test('serve prints a configuration for run, logs each request, and ends on SIGINT', async () => {
  const commandContext = observedContext()
  const serving = runProgram(['serve', '--log'], commandContext)
  while (commandContext.signals.listenerCount('SIGINT') === 0 || commandContext.printed() === '')
    await sleep(5)
  const { target, fixtures } = parse(commandContext.printed())
  expect(commandContext.printed()).toContain(
    `# The embedded portal answers at ${target.baseUrl} until interrupted`,
  )
  const fetchFrom = (origin: string, method: string) =>
    fetch(`${target.baseUrl}?f=json&token=secret`, { method, headers: { origin } })
  const page = 'http://localhost:5173'
  const allowed = 'access-control-allow-origin'
  const [preflight, answer, stranger] = [
    await fetchFrom(page, 'OPTIONS'),
    await fetchFrom(page, 'GET'),
    await fetchFrom('https://elsewhere.example', 'GET'),
  ]
  // Pages of this machine may read the answers.
  expect([preflight.status, preflight.headers.get(allowed)]).toEqual([204, page])
  expect([answer.status, answer.headers.get(allowed)]).toEqual([200, page])
  expect(stranger.headers.get(allowed)).toBeNull()
  expect(commandContext.complained()).toMatch(
    /^[\d:.]+ OPTIONS \/sharing\/rest 204 \d+ ms\n[\d:.]+ GET \/sharing\/rest 200 \d+ ms\n/,
  )
  expect(commandContext.complained()).not.toContain('secret')
  expect((await fetch(`${fixtures.url}/group`, { method: 'POST', body: '{}' })).status).toBe(200)
  commandContext.signals.emit('SIGINT')
  expect(await serving).toBe(0)
  await expect(fetch(fixtures.url)).rejects.toThrow()
})

/** A folder with configurations of a deployment that cannot be reached. */
function folderWith(...files: readonly string[]): string {
  const folder = testFolder()
  const configuration = 'target: { baseUrl: "http://127.0.0.1:1/rest" }\nportals: { host: { id: h } }\n'
  for (const name of files) writeFileSync(join(folder, name), configuration)
  return folder
}

test.each([
  [['run', '--dry-run'], 0],
  [['doctor'], 4],
  [['run'], 4],
])('%s uses portal-conformance.yaml, and says so in one line on stderr', async (words, expected) => {
  const { code, stdout, stderr } = await runInProcess(words, folderWith('portal-conformance.yaml'), {})
  expect(stderr).toMatch(/^Using portal-conformance\.yaml\n/)
  expect(stdout).not.toContain('Using')
  expect(code).toBe(expected)
})

test.each([
  ['--config', 'other.yaml'],
  ['--reference', '--requirement', 'protocol/json-format'],
])('run ignores portal-conformance.yaml if a target is named: %s', async (...words) => {
  const folder = folderWith('portal-conformance.yaml', 'other.yaml')
  const { code, stderr } = await runInProcess(['run', '--dry-run', ...words], folder, {})
  expect([code, stderr]).toEqual([0, ''])
})
