/** Runs the lines of a document one after the other, as a user at a shell does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShownLine } from './documented-commands.fixture.ts'

const longestMs = 50_000
/** Characters of output, from its end, that a failure shows. */
const longestOutput = 1500
const ours = /\bportal-conformance run\b/
/** Serve until they are ended, also where the document does not put them into the background. */
const servers = /\bportal-conformance serve\b(?!.*--list)|examples\/portal-python(?!.*--list)/

export class DocumentShell {
  readonly #folder: string
  readonly #environment: NodeJS.ProcessEnv
  readonly #background: ChildProcess[] = []

  constructor(folder: string, commands: string) {
    this.#folder = folder
    const path = `${commands}${delimiter}${process.env.PATH ?? ''}`
    this.#environment = { PATH: path, HOME: folder, TMPDIR: tmpdir(), NO_COLOR: '1' }
  }

  /** Runs the line; resolves with what is wrong with it, undefined where it ends as it says. */
  async run({ command, exit }: ShownLine): Promise<string | undefined> {
    if (/^export \w+=/.test(command)) return this.#export(command)
    if (servers.test(command)) return this.#serve(command.replace(/\s*&$/, ''))
    const { child, output } = this.#start(fewCases(command))
    const code = await ended(child)
    return code === exit ? undefined : `exit ${exit} expected, exit ${code} found:\n${output()}`
  }

  /** Ends what still runs. */
  async end(): Promise<void> {
    for (const child of this.#background.splice(0)) {
      stop(child)
      await ended(child)
    }
  }

  #export(command: string): undefined {
    const [, name, value] = /^export (\w+)=['"]?(.*?)['"]?$/.exec(command) as unknown as string[]
    this.#environment[name as string] = value
  }

  async #serve(command: string): Promise<string | undefined> {
    const { child, output } = this.#start(command)
    this.#background.push(child)
    const written = /(?:--write|>) *(\S+)/.exec(command)?.[1]
    const file = written === undefined ? undefined : join(this.#folder, written)
    const since = Date.now()
    const ready = () =>
      file === undefined
        ? output() !== ''
        : existsSync(file) && statSync(file).size > 0 && statSync(file).mtimeMs >= since - 5
    for (let waited = 0; waited < longestMs; waited += 20) {
      if (child.exitCode !== null) return `it ended at once:\n${output()}`
      if (ready()) return undefined
      await sleep(20)
    }
    return `it does not serve:\n${output()}`
  }

  #start(command: string): { child: ChildProcess; output: () => string } {
    // A group of its own, so that what the shell started ends with it.
    const child = spawn('sh', ['-c', command], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
    }
    return { child, output: () => text.slice(-longestOutput) }
  }
}

/** Few cases are enough to see whether a command does what the document says. */
const fewCases = (command: string): string =>
  command.includes('--runs') ? command : command.replace(ours, '$& --runs 1')

function stop(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, 'SIGINT')
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const timer = setTimeout(() => stop(child), longestMs)
  try {
    return await new Promise((resolve) => child.on('close', (code) => resolve(code)))
  } finally {
    clearTimeout(timer)
  }
}
