/** Runs every command in README.md and docs/, and expects the documented exit code. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../cli/process/in-process.fixture.ts'
import { commandFolder, EarlierResults, justInstalled } from './documentation-folder.fixture.ts'

/** A line of a shell block. */
interface ShownLine {
  readonly command: string
  /** From the end of the line: `# exit 1`. Default: 0. */
  readonly exit: number
  readonly at: number
  /** In a story: what the line prints, up to … in each of these lines. */
  readonly prints?: readonly string[]
}

interface ShownBlock {
  readonly document: string
  readonly at: number
  readonly lines: readonly ShownLine[]
}

const shells = new Set(['sh', 'shell', 'bash', 'console'])
const fence = /^\s*```\s*(\w*)/
/** Indented code is a shell block if it begins with one of our commands. */
const indented = /^ {4}((?:npx )?portal-conformance |npm |python3 )/

/**
 * The shell blocks of a Markdown text: fenced as sh, shell, bash or console, or indented by four spaces. Blank lines and
 * comments are omitted.
 */
function shownBlocks(document: string, text: string): ShownBlock[] {
  const blocks: { at: number; raw: [at: number, line: string][]; prints: string[] }[] = []
  let language: string | undefined
  let open = false
  for (const [index, line] of text.split('\n').entries()) {
    const at = index + 1
    const fenced = fence.exec(line)
    if (fenced !== null) {
      language = language === undefined ? (fenced[1] as string) : undefined
      open = false
    } else if (language === undefined ? indented.test(line) : shells.has(language)) {
      if (!open) blocks.push({ at, raw: [], prints: [] })
      open = true
      blocks.at(-1)?.raw.push([at, line])
    } else {
      if (language === 'text' && stories.includes(document)) blocks.at(-1)?.prints.push(line)
      open = false
    }
  }
  return blocks
    .map(({ at, raw, prints }) => ({ document, at, lines: linesOf(raw, prints) }))
    .filter(({ lines }) => lines.length > 0)
}

/** `prints`: of the last line. */
function linesOf(raw: readonly [at: number, line: string][], prints: readonly string[]): ShownLine[] {
  const lines = raw.flatMap(([at, line]) => {
    const command = line.trim()
    return command === '' || command.startsWith('#') ? [] : [{ at, ...expectation(command) }]
  })
  return lines.map((line, index) => (index === lines.length - 1 ? { ...line, prints } : line))
}

function expectation(line: string): { command: string; exit: number } {
  const exit = Number(/\s#.*\bexit (\d+)/.exec(line)?.[1] ?? 0)
  return { command: line.replace(/\s+#\s.*$/, ''), exit }
}

const longestMs = 50_000
/** Characters of output, from its end, that a failure shows. */
const longestOutput = 1500
const ours = /\bportal-conformance run\b/
/** Commands that serve until ended, even if the document does not start them in the background. */
const servers = /\bportal-conformance serve\b(?!.*--list)|examples\/portal-python(?!.*--list)/

/** Commands whose words need no shell. A process for each would take most of the time of these tests. */
const withoutShell = /^portal-conformance [\w ./,=:-]+$/

class DocumentShell {
  readonly #folder: string
  readonly #environment: NodeJS.ProcessEnv
  readonly #background: ChildProcess[] = []

  constructor(folder: string, commands: string) {
    this.#folder = folder
    const path = `${commands}${delimiter}${process.env.PATH ?? ''}`
    this.#environment = { PATH: path, HOME: folder, TMPDIR: tmpdir(), NO_COLOR: '1' }
  }

  /** Runs the line; resolves with the problem, or undefined if the line ends as documented. */
  async run({ command, exit, prints = [] }: ShownLine): Promise<string | undefined> {
    if (/^export \w+=/.test(command)) return this.#export(command)
    if (servers.test(command)) return this.#serve(command.replace(/\s*&$/, ''))
    const { code, output } = await this.#end(fewCases(command))
    const last = output.slice(-longestOutput)
    if (code !== exit) return `exit ${exit} expected, exit ${code} found:\n${last}`
    const missing = prints.find((line) => !output.includes(line.split('…', 1)[0]?.trim() as string))
    return missing === undefined ? undefined : `"${missing}" is not in its output:\n${last}`
  }

  /** Ends the commands in the background. */
  async end(): Promise<void> {
    for (const child of this.#background.splice(0)) {
      stop(child)
      await ended(child)
    }
  }

  /** Runs the line to its end, in this process if a shell would only split it into words. */
  async #end(command: string): Promise<{ code: number | null; output: string }> {
    if (withoutShell.test(command)) {
      const [, ...words] = command.split(/ +/)
      const { code, stdout, stderr } = await runInProcess(words, this.#folder, this.#environment)
      return { code, output: stdout + stderr }
    }
    const { child, output } = this.#start(command)
    const code = await ended(child)
    return { code, output: output() }
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
    // A separate process group, so that children of the shell end with it.
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
    return { child, output: () => text }
  }
}

/** A quick run is enough to see whether a command does what the document says, but a statement (`--seed`) needs 8 cases. */
const fewCases = (command: string): string =>
  /--runs|--quick|--failed/.test(command)
    ? command.replace(/--runs \d+/, '--runs 1')
    : command.replace(ours, command.includes('--seed') ? '$& --runs 8' : '$& --quick')

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

/** Commands that tests cannot run. An unused entry fails a test. */
const notRun: readonly { readonly command: RegExp; readonly reason: string }[] = [
  { command: /^npm (install|ci|init)\b/, reason: 'packages come from the network' },
  {
    command: /^npx portal-conformance (init|doctor|run)$/,
    reason:
      'init asks for logins on a terminal; the others then use the deployment (init-on-a-terminal.test.ts)',
  },
  {
    command: /^PORTAL_CONFORMANCE_CONFIG=/,
    reason: 'cli/package/vitest-project.test.ts runs the project',
  },
  {
    command: /selftest --part faults --part variants --together/,
    reason: 'it takes ten minutes of both cores; .ci/run runs the same command after the tests',
  },
]

/** Other commands that tests run unchanged. */
const plainCommands = /^(mkdir|cp|cat|ls|test|cd) /

/**
 * Each block of a document runs in its own folder, prepared by `documentation-folder.fixture.ts`. A story runs from
 * beginning to end in one folder, which at first contains only the installed package.
 */
const stories = ['docs/getting-started.md']
const isStory = ({ document }: ShownBlock): boolean => stories.includes(document)

/** Why this machine cannot run the command; undefined if it can. */
function missingHere(command: string): string | undefined {
  if (!command.startsWith('python3 ')) return undefined
  return spawnSync('python3', ['--version']).status === 0 ? undefined : 'there is no python3 here'
}

const root = fileURLToPath(new URL('..', import.meta.url))
const names = ['README.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)
const blocks = names.flatMap((name) => shownBlocks(name, readFileSync(root + name, 'utf8')))
const commandOf = /^(?:[A-Z_]+=\S+ )*(npx )?portal-conformance |^python3 |^export \w+=/
const isNotRun = (command: string): boolean => notRun.some((entry) => entry.command.test(command))
const runnable = ({ command }: ShownLine): boolean =>
  (commandOf.test(command) || plainCommands.test(command)) && !isNotRun(command)

/** The blocks to run. All blocks of a story are one. */
const toRun: ShownBlock[] = names.flatMap((name) => {
  const own = blocks
    .filter(({ document }) => document === name)
    .map((block) => ({ ...block, lines: block.lines.filter(runnable) }))
    .filter(({ lines }) => lines.length > 0)
  if (!stories.includes(name)) return own
  return [{ document: name, at: 1, lines: own.flatMap(({ lines }) => lines) }]
})

/** Blocks that run at the same time. */
const atOnce = 4
/** A story with several runs is slow on a busy machine. */
const timeoutMs = 180_000
let commands: ReturnType<typeof commandFolder>
let earlier: Promise<EarlierResults>
const outcomes = new Map<ShownBlock, Promise<string[]>>()

beforeAll(() => {
  commands = commandFolder()
  earlier = EarlierResults.make()
  const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve())
  // Stories take longest, and need no earlier results.
  const ordered = toRun.toSorted((one, other) => Number(isStory(other)) - Number(isStory(one)))
  for (const [at, block] of ordered.entries()) {
    const outcome = (lanes[at % atOnce] as Promise<unknown>)
      .then(() => problemsIn(block))
      .catch((error: Error) => [`${block.document}:${block.at}: ${error.stack}`])
    lanes[at % atOnce] = outcome
    outcomes.set(block, outcome)
  }
})

afterAll(() => {
  commands.remove()
})

/** The first line that does not end as documented. The block stops there, since later lines may depend on it. */
async function problemsIn(block: ShownBlock): Promise<string[]> {
  const { document, lines } = block
  const folder = isStory(block) ? justInstalled() : await (await earlier).prepare()
  const shell = new DocumentShell(folder.path, commands.path)
  try {
    for (const line of lines) {
      const wrong = await shell.run(line)
      if (wrong !== undefined) return [`${document}:${line.at}: ${line.command}: ${wrong}`]
    }
    return []
  } finally {
    await shell.end()
    await folder.remove()
  }
}

describe('documented commands', () => {
  const lackOf = ({ lines }: ShownBlock) => lines.map(({ command }) => missingHere(command)).find(Boolean)

  for (const block of toRun) {
    const lack = lackOf(block)
    const title = `${block.document}:${block.at} ${block.lines[0]?.command}`
    it.skipIf(lack !== undefined)(
      lack === undefined ? title : `${title} (${lack})`,
      async () => {
        expect(await outcomes.get(block)).toEqual([])
      },
      timeoutMs,
    )
  }

  it('are all run, or listed with a reason', () => {
    const unknown = blocks.flatMap(({ document, lines }) =>
      lines
        .filter((line) => !runnable(line) && !isNotRun(line.command))
        .map(({ at, command }) => `${document}:${at}: ${command}`),
    )
    expect(unknown).toEqual([])
  })

  it('are found in every shell block', () => {
    const beginnings = names.flatMap((name) =>
      readFileSync(root + name, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /^```(?:sh|shell|bash|console)$/.test(line) ? `${name}:${index + 2}` : [],
        ),
    )
    expect(beginnings.length).toBeGreaterThan(20)
    expect(blocks.map(({ document, at }) => `${document}:${at}`)).toEqual(expect.arrayContaining(beginnings))
  })

  it('use every entry of the lists of exceptions and stories', () => {
    const all = blocks.flatMap(({ lines }) => lines.map(({ command }) => command))
    expect(notRun.filter(({ command }) => !all.some((line) => command.test(line)))).toEqual([])
    expect(stories.filter((name) => !names.includes(name))).toEqual([])
  })
})
