/** Carries out a Containerfile on this machine, where no engine is needed: each stage is a folder. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { projectRoot } from '../package/installed-package.fixture.ts'

export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of a Containerfile, without comments, continued lines joined. */
export function instructionsOf(file: string): Instruction[] {
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
export interface Image {
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
export function build(instructions: readonly Instruction[]): Image {
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
