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

/** Paths copied from the build context. */
const copied = textsOf('COPY')
  .filter((text) => !text.startsWith('--from='))
  .flatMap((text) => text.split(' ').slice(0, -1))

test('the image runs as a numeric user, and its entry point is node without a shell', () => {
  // Clusters that refuse root require a number.
  expect(textsOf('USER')).toEqual(['1000:1000'])
  expect(textsOf('FROM')).toEqual([
    'docker.io/library/node:22-alpine AS build',
    'docker.io/library/node:22-alpine',
  ])
  // Signals and exit codes pass through.
  expect(textsOf('ENTRYPOINT')).toEqual(['["node", "/opt/portal-conformance/dist/cli/main.js"]'])
})

test('the build context has only the copied paths, without files that the build excludes', () => {
  const [none, ...rules] = shipped('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [kept, left] = [true, false].map((keep) => rules.filter((rule) => rule.startsWith('!') === keep))
  expect([none, kept]).toEqual(['*', copied.map((path) => `!${path}`)])
  expect(left).toEqual(JSON.parse(shipped('tsconfig.build.json')).exclude)
})

const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-image-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Builds from the copied paths. Tests have no registry: a link to the installed modules replaces `npm ci`. */
beforeAll(() => {
  for (const path of copied) cpSync(join(projectRoot, path), join(folder, path), { recursive: true })
  const modules = join(projectRoot, 'node_modules')
  // This node may have no npm beside it: any npm on the PATH runs on this node.
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  for (const script of textsOf('RUN'))
    execFileSync('sh', ['-ec', script.startsWith('npm ci ') ? `ln -sfn '${modules}' node_modules` : script], {
      cwd: folder,
      env: { PATH: path, HOME: folder, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
      stdio: 'pipe',
    })
  symlinkSync(modules, join(folder, 'package', 'node_modules'))
})

test('the image holds the package and its dependencies, and no sources', () => {
  expect(textsOf('COPY').filter((text) => text.startsWith('--from='))).toEqual([
    '--from=build /build/package /opt/portal-conformance',
    '--from=build /build/node_modules /opt/portal-conformance/node_modules',
  ])
  expect(readdirSync(join(folder, 'package')).sort()).toEqual([
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'node_modules', 'package.json', 'schemas', 'specs'],
  ])
  expect(readdirSync(join(folder, 'package', 'specs'))).toEqual(['openapi.json'])
})

test('a run in the image writes only to the mounted folder, and needs no temporary folder', async () => {
  const { configuration } = await testPortal()
  const mounted = testFolder()
  writeFileSync(join(mounted, 'staging.yaml'), JSON.stringify(configuration))
  const main = join(folder, 'package', 'dist', 'cli', 'main.js')
  const words = ['run', '--config', 'staging.yaml', '--quick', '--requirement', 'add-workspace/creates']
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
