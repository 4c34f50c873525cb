/** The built package as users install it: packed, and unpacked in a project beside its dependencies. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { type Ended, endOf } from '../end-to-end/command.fixture.ts'
import type {} from './packed.fixture.ts'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** A project of a user, in which the package is installed. */
export class UserProject {
  readonly path = mkdtempSync(join(tmpdir(), 'portal-conformance-project-'))

  /** `dependencies`: the packages installed beside it; by default all of the checkout. */
  constructor(dependencies: readonly string[] = everythingInstalled()) {
    const modules = join(this.path, 'node_modules')
    mkdirSync(modules)
    // Hard links: the package has a thousand files, and no test changes one.
    execFileSync('cp', ['-Rl', inject('unpacked'), join(modules, 'portal-conformance')])
    for (const name of dependencies) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name))
    }
  }

  write(name: string, content: string): string {
    writeFileSync(join(this.path, name), content)
    return name
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

  /** Runs the text as a module in the project. */
  run(text: string): Promise<Ended> {
    return this.node([this.write('program.mjs', text)])
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}

function everythingInstalled(): string[] {
  const modules = join(projectRoot, 'node_modules')
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith('.') || name === 'portal-conformance') return []
    return name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name]
  })
}
