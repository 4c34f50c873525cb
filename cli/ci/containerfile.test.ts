import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../../reference/portal.ts'
import { build, type Image, instructionsOf } from './containerfile.fixture.ts'
import { shipped } from './pipeline.fixture.ts'

const instructions = instructionsOf(shipped('Containerfile'))
/** As a user and a group: the one that the image names, and one that an operator makes up. */
const users = ['1000:1000', '54321:0']
const asRoot = process.getuid?.() === 0

let image: Image
let built = false
beforeAll(() => {
  image = build(instructions)
  built = true
  // What a read-only root file system comes to for whoever is not root.
  execFileSync('chmod', ['-R', 'a-w,a+rX', image.root])
  chmodSync(join(image.root, '..'), 0o755)
})
afterAll(() => {
  if (!built) return
  execFileSync('chmod', ['-R', 'u+w', image.root])
  image.remove()
})

/** Runs the image as that user, in a folder that it may write; there is no other, not even one for temporary files. */
async function run(args: readonly string[], configuration: object, user = image.user) {
  const mounted = mkdtempSync(join(tmpdir(), 'portal-conformance-work-'))
  onTestFinished(() => rmSync(mounted, { recursive: true }))
  chmodSync(mounted, 0o777)
  writeFileSync(join(mounted, 'staging.yaml'), JSON.stringify(configuration))
  const [program, main] = image.entrypoint as [string, string]
  const command = [program === 'node' ? process.execPath : program, join(image.root, main), ...args]
  const identity = asRoot
    ? ['setpriv', `--reuid=${user.split(':')[0]}`, `--regid=${user.split(':')[1]}`, '--clear-groups', '--']
    : []
  const [first, ...others] = [...identity, ...command] as [string, ...string[]]
  const env = {
    ...image.environment,
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    TMPDIR: '/nonexistent',
  }
  const ended = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(first, others, { cwd: mounted, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
  return { ...ended, mounted }
}

test('the image runs without root, as a number: a cluster that refuses root cannot tell by a name', () => {
  expect(image.user).toBe(users[0])
  expect(instructions.filter(({ name }) => name === 'FROM').map(({ text }) => text)).toEqual([
    'docker.io/library/node:22-alpine AS build',
    'docker.io/library/node:22-alpine',
  ])
})

test('signals and exit codes are those of node: no shell stands before it', () => {
  expect(image.entrypoint).toEqual(['node', '/opt/portal-conformance/dist/cli/main.js'])
})

test('what is copied is in the context, and nothing else that is large or private', () => {
  const [none, ...rules] = shipped('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const fromContext = instructions
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(' ').slice(0, -1))
  const [kept, left] = [true, false].map((keep) => rules.filter((rule) => rule.startsWith('!') === keep))
  expect([none, kept]).toEqual(['*', fromContext.map((path) => `!${path}`)])
  expect(left).toEqual(JSON.parse(shipped('tsconfig.build.json')).exclude)
})

test.each(users)(
  'as %s, a run of it writes its report into the mounted folder and nothing anywhere else',
  async (user) => {
    const portal = await startPortal()
    onTestFinished(() => portal.close())
    const few = ['--runs', '1', '--operation', 'add-workspace']
    const { code, stderr, mounted } = await run(
      ['run', '--config', 'staging.yaml', ...few],
      portal.configuration,
      user,
    )
    expect([code, stderr]).toEqual([3, expect.stringContaining('Results: ')])
    expect(readdirSync(mounted).sort()).toEqual(['portal-conformance-report', 'staging.yaml'])
    const { verdict } = JSON.parse(
      readFileSync(join(mounted, 'portal-conformance-report', 'results.json'), 'utf8'),
    )
    expect(verdict).toBe('incomplete')
  },
)

test('it holds the package and what it needs, and no sources', () => {
  const folder = join(image.root, 'opt', 'portal-conformance')
  expect(readdirSync(folder).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'node_modules',
    'package.json',
  ])
})

test('every folder of sources that is built is copied into the build', () => {
  const { include } = JSON.parse(shipped('tsconfig.build.json')) as { include: string[] }
  const copied = instructions.filter(({ name }) => name === 'COPY').map(({ text }) => text.split(' ')[0])
  expect(include.filter((folder) => !copied.includes(folder))).toEqual([])
})
