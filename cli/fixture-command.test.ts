import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'
import { answering, runs, written } from '../target/fixtures/program/folder.fixture.ts'
import { UserFolder } from './command.fixture.ts'
import { runProgram } from './program.ts'
import { observedSurroundings } from './surroundings.fixture.ts'

/** Hands out what the portal hands out, and leaves files that tell what became of it. */
const passingOn = (more: string) => `
import { writeFileSync } from 'node:fs'
writeFileSync('pid', String(process.pid))
${answering(`
  ${more}
  const body = JSON.stringify(asked.options)
  const headers = { 'X-Portal-Conformance-Run': asked.runId }
  void fetch(process.env.PROVIDER + '/' + asked.kind, { method: 'POST', headers, body })
    .then((answer) => answer.json())
    .then((fixture) => say({ id: asked.id, fixture }))`)}`

async function portalFor(): Promise<EmbeddedPortal> {
  const portal = await startPortal({ latencyMs: 5 })
  onTestFinished(() => portal.close())
  return portal
}

/** A folder with the program and a configuration of the portal that names it. */
function configured(portal: EmbeddedPortal, program: string): string {
  const { command, folder } = written(program)
  const fixtures = { command: `PROVIDER=${portal.configuration.fixtures.url} ${command}` }
  writeFileSync(join(folder, 'portal.yaml'), stringify({ ...portal.configuration, fixtures }))
  return folder
}

const pidIn = (folder: string) => Number(readFileSync(join(folder, 'pid'), 'utf8'))
const gone = (pid: number) => expect.poll(() => runs(pid), { timeout: 10_000 }).toBe(false)

test('a program that dies is told as the reason, and what it said as a warning without secrets', async () => {
  const portal = await portalFor()
  const secret = portal.configuration.actors.hostAdministrator.credential
  const folder = configured(
    portal,
    `console.error('no portal for ${secret} \\u001b[31m'); process.exitCode = 3`,
  )
  const surroundings = observedSurroundings()
  const out = join(folder, 'report')
  const words = ['--requirement', 'add-workspace/creates', '--reporter', 'json', '--out', out]
  expect(await runProgram(['run', '--config', join(folder, 'portal.yaml'), ...words], surroundings)).toBe(3)
  expect(surroundings.complained()).toMatch(/Warning: fixtures\.command says: no portal for \*\*\* /)
  const text = readFileSync(join(out, 'results.json'), 'utf8')
  const { requirements } = JSON.parse(text) as Results
  const check = requirements.flatMap(({ checks }) => checks).find(({ id }) => id === 'add-workspace/creates')
  expect(check?.outcome).toBe('inconclusive')
  expect(check?.reason).toContain('the program ended with code 3 (it said last: no portal for ***')
  expect(text + surroundings.complained()).not.toContain(secret)
  expect(surroundings.complained()).not.toContain('\u001b')
})

test('after an interrupt the program is told to clean up, and is gone', async () => {
  const portal = await portalFor()
  const folder = configured(
    portal,
    passingOn("if (asked.kind === 'cleanup') writeFileSync('told', asked.runId)"),
  )
  const surroundings = observedSurroundings()
  const words = ['--runs', '50', '--reporter', 'json', '--out', join(folder, 'report')]
  const running = runProgram(['run', '--config', join(folder, 'portal.yaml'), ...words], surroundings)
  while (portal.requests < 50) await sleep(5)
  surroundings.signals.emit('SIGINT')
  expect(await running).toBe(130)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toMatch(/^pc-/)
  expect(portal.store.collaborations.size).toBe(0)
  await gone(pidIn(folder))
})

test('a second interrupt leaves no program behind, however stubborn', async () => {
  const portal = await portalFor()
  const stubborn = `
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
    if (asked.kind === 'cleanup') { writeFileSync('told', 'x'); continue }`
  const folder = configured(portal, passingOn(stubborn))
  const user = new UserFolder()
  const { process: child, ended } = user.start([
    'run',
    '--config',
    join(folder, 'portal.yaml'),
    '--runs',
    '50',
  ])
  while (portal.requests < 50) await sleep(5)
  child.kill('SIGINT')
  while (!existsSync(join(folder, 'told'))) await sleep(5)
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  await gone(pidIn(folder))
})
