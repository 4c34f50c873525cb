import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOf } from '../end-to-end/command.fixture.ts'
import { projectRoot } from '../package/installed-package.fixture.ts'
import { resultsIn } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'
import { shipped } from './pipeline.fixture.ts'

/** The instructions without comments, continued lines joined. */
const instructions = shipped('Containerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.split(/ +(.*)/s) as [name: string, text: string])

const textsOf = (name: string): string[] =>
  instructions.flatMap(([each, text]) => (each === name ? text : []))

/** What is copied from the context. */
const copied = textsOf('COPY')
  .filter((text) => !text.startsWith('--from='))
  .flatMap((text) => text.split(' ').slice(0, -1))

test('the image runs without root, as a number: a cluster that refuses root cannot tell by a name', () => {
  expect(textsOf('USER')).toEqual(['1000:1000'])
  expect(textsOf('FROM')).toEqual([
    'docker.io/library/node:22-alpine AS build',
    'docker.io/library/node:22-alpine',
  ])
})

test('signals and exit codes are those of node: no shell stands before it', () => {
  expect(textsOf('ENTRYPOINT')).toEqual(['["node", "/opt/portal-conformance/dist/cli/main.js"]'])
})

test('what is copied is in the context, and nothing else that is large or private', () => {
  const [none, ...rules] = shipped('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [kept, left] = [true, false].map((keep) => rules.filter((rule) => rule.startsWith('!') === keep))
  expect([none, kept]).toEqual(['*', copied.map((path) => `!${path}`)])
  expect(left).toEqual(JSON.parse(shipped('tsconfig.build.json')).exclude)
})

const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-image-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Builds from what is copied. `npm ci` links what is installed here, since tests have no registry. */
beforeAll(() => {
  for (const path of copied) cpSync(join(projectRoot, path), join(folder, path), { recursive: true })
  const modules = join(projectRoot, 'node_modules')
  // A node that a package brought has no npm beside it: whichever npm is found runs on that node.
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  for (const script of textsOf('RUN'))
    execFileSync('sh', ['-ec', script.startsWith('npm ci ') ? `ln -sfn '${modules}' node_modules` : script], {
      cwd: folder,
      env: { PATH: path, HOME: folder, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
      stdio: 'pipe',
    })
  symlinkSync(modules, join(folder, 'package', 'node_modules'))
})

test('it holds the package and what it needs, and no sources', () => {
  expect(textsOf('COPY').filter((text) => text.startsWith('--from='))).toEqual([
    '--from=build /build/package /opt/portal-conformance',
    '--from=build /build/node_modules /opt/portal-conformance/node_modules',
  ])
  expect(readdirSync(join(folder, 'package')).sort()).toEqual([
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'node_modules', 'package.json', 'schemas', 'specs'],
  ])
  expect(readdirSync(join(folder, 'package', 'specs'))).toEqual(['openapi.json'])
})

test('a run of it writes into the mounted folder only: there is no other, not even one for temporary files', async () => {
  const { configuration } = await testPortal()
  const mounted = testFolder()
  writeFileSync(join(mounted, 'staging.yaml'), JSON.stringify(configuration))
  const main = join(folder, 'package', 'dist', 'cli', 'main.js')
  const words = ['run', '--config', 'staging.yaml', '--runs', '1', '--operation', 'add-workspace']
  const child = spawn(process.execPath, [main, ...words], {
    cwd: mounted,
    env: { NODE_ENV: 'production', HOME: '/nonexistent', TMPDIR: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { code, stderr } = await endOf(child)
  expect([code, stderr]).toEqual([3, expect.stringContaining('Results: ')])
  expect(readdirSync(mounted).sort()).toEqual(['portal-conformance-report', 'staging.yaml'])
  expect(resultsIn(join(mounted, 'portal-conformance-report')).verdict).toBe('incomplete')
})
