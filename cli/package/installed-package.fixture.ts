/** The built package as a user has it: packed, unpacked in a project of its own, with its dependencies beside it. */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ended, endOf } from '../end-to-end/command.fixture.ts'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** A project of a user, in which the package is installed. */
export class UserProject {
  readonly path = mkdtempSync(join(tmpdir(), 'portal-conformance-project-'))

  /** `dependencies`: the packages that are installed beside it; all of the checkout where absent. */
  constructor(dependencies: readonly string[] = everythingInstalled()) {
    const modules = join(this.path, 'node_modules')
    mkdirSync(join(modules, 'portal-conformance'), { recursive: true })
    const unpack = ['-xzf', '-', '-C', join(modules, 'portal-conformance'), '--strip-components=1']
    execFileSync('tar', unpack, { input: packed() })
    for (const name of dependencies) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name))
    }
  }

  write(name: string, content: string): string {
    writeFileSync(join(this.path, name), content)
    return name
  }

  /** Copies a folder of the checkout into the project. */
  copy(folder: string): void {
    cpSync(join(projectRoot, folder), this.path, { recursive: true })
  }

  /** Runs node with these arguments in the project. */
  node(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    const child = spawn(process.execPath, args, {
      cwd: this.path,
      env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return endOf(child)
  }

  /** Runs a module of that text in the project. */
  run(text: string): Promise<Ended> {
    return this.node([this.write('program.mjs', text)])
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}

let tarball: Buffer | undefined

/** The tarball that would be published; packed once. */
function packed(): Buffer {
  if (tarball !== undefined) return tarball
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-pack-'))
  try {
    // Without scripts: they would build, under the hands of tests that run what is built.
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
    const name = execFileSync('npm', pack, { cwd: projectRoot, encoding: 'utf8', env }).trim()
    tarball = readFileSync(join(folder, name))
    return tarball
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function everythingInstalled(): string[] {
  const modules = join(projectRoot, 'node_modules')
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith('.') || name === 'portal-conformance') return []
    return name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name]
  })
}
