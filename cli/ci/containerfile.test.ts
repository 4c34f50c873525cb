import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../../reference/portal.ts'
import { projectRoot } from '../package/installed-package.fixture.ts'
import { shipped } from './pipeline.fixture.ts'

interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of a Containerfile, without comments, continued lines joined. */
function instructionsOf(file: string): Instruction[] {
  return file
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name, text] = line.split(/ +(.*)/s) as [string, string]
      return { name: name.toUpperCase(), text }
    })
}

/** What an image comes to. */
interface Image {
  /** The root of its file system; nothing of the base image is in it. */
  readonly root: string
  readonly user: string
  readonly workdir: string
  readonly environment: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  remove(): void
}

/**
 * Builds the last stage. Steps run by the shell of this machine; its `npm ci` links what is installed here, since
 * tests have no registry, and every other command is done as it stands.
 */
function build(instructions: readonly Instruction[]): Image {
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-image-'))
  const remove = () => rmSync(folder, { recursive: true })
  try {
    return { ...carryOut(instructions, folder), remove }
  } catch (error) {
    remove()
    throw error
  }
}

function carryOut(instructions: readonly Instruction[], folder: string): Omit<Image, 'remove'> {
  const stages = new Map<string, string>()
  let [root, user, workdir] = [folder, 'root', '/']
  let environment: Record<string, string> = {}
  let entrypoint: string[] = []
  for (const { name, text } of instructions) {
    const words = text.split(/\s+/)
    if (name === 'FROM') {
      root = join(folder, `stage-${stages.size}`)
      stages.set(words[2] ?? `${stages.size}`, root)
      mkdirSync(root)
      user = 'root'
      workdir = '/'
      environment = {}
    } else if (name === 'WORKDIR') {
      workdir = text
      mkdirSync(join(root, workdir), { recursive: true })
    } else if (name === 'COPY') {
      copy(words, { from: stages, root, workdir })
    } else if (name === 'RUN') {
      execFileSync('sh', ['-ec', text], {
        cwd: join(root, workdir),
        env: stepEnvironment(folder),
        stdio: 'pipe',
      })
    } else if (name === 'USER') {
      user = text
    } else if (name === 'ENV') {
      const [key, value] = text.split(/=(.*)/s) as [string, string]
      environment[key] = value
    } else if (name === 'ENTRYPOINT') {
      entrypoint = JSON.parse(text)
    } else if (name !== 'CMD') {
      throw new Error(`${name} is not understood`)
    }
  }
  return { root, user, workdir, environment, entrypoint }
}

interface Place {
  readonly from: ReadonlyMap<string, string>
  readonly root: string
  readonly workdir: string
}

function copy(words: readonly string[], { from, root, workdir }: Place): void {
  const stage = /^--from=(.*)$/.exec(words[0] as string)?.[1]
  const source = stage === undefined ? projectRoot : (from.get(stage) as string)
  const paths = words.slice(stage === undefined ? 0 : 1)
  const target = paths.at(-1) as string
  for (const path of paths.slice(0, -1)) {
    const to = target.startsWith('/')
      ? join(root, target)
      : join(root, workdir, target === './' ? path : target)
    cpSync(join(source, path), to, { recursive: true, verbatimSymlinks: true })
  }
}

/** With an npm first on the path whose `ci` needs no registry. */
function stepEnvironment(folder: string): Record<string, string> {
  const programs = join(folder, 'programs')
  mkdirSync(programs, { recursive: true })
  // A node that a package brought has no npm beside it: whichever npm is found runs on that node.
  const found = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { env: { PATH: found }, encoding: 'utf8' }).trim()
  const script = `#!/bin/sh
if [ "$1" = ci ]; then ln -sfn '${join(projectRoot, 'node_modules')}' node_modules; else exec '${npm}' "$@"; fi
`
  execFileSync('sh', ['-c', 'cat >"$0" && chmod +x "$0"', join(programs, 'npm')], { input: script })
  return {
    PATH: [programs, found].join(delimiter),
    HOME: folder,
    TMPDIR: folder,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
}

const instructions = instructionsOf(shipped('Containerfile'))
/** As a user and a group: the one that the image names, and one that an operator makes up. */
const users = ['1000:1000', '54321:0']
const asRoot = process.getuid?.() === 0

let image: Image
let built = false
beforeAll(() => {
  image = build(instructions)
  built = true
  // A read-only root file system, for users other than root.
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
    'schemas',
    'specs',
  ])
  expect(readdirSync(join(folder, 'specs'))).toEqual(['openapi.json'])
})

test('every folder of sources that is built is copied into the build', () => {
  const { include } = JSON.parse(shipped('tsconfig.build.json')) as { include: string[] }
  const copied = instructions.filter(({ name }) => name === 'COPY').map(({ text }) => text.split(' ')[0])
  expect(include.filter((folder) => !copied.includes(folder))).toEqual([])
})
