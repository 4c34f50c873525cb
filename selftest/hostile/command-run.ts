/** Runs the real command against a hostile target in its own process, and judges its exit code, output and files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import { readResults, resultsFile } from '../../reporters/results-json.ts'
import { isGating } from '../../specs/outcomes.ts'
import { hostileTargets } from '../parts/hostile.ts'
import { type Alteration, brokenBy, type Judged } from '../trial.ts'
import type { Expectation, HostileTarget } from './servers.ts'

export interface CommandRun {
  /** Null: a signal ended the process. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** The reason, if results.json is missing or invalid. */
  readonly results: Results | string
  /** Peak resident memory in bytes; 0 if the process did not end by itself. */
  readonly peakBytes: number
  readonly secrets: readonly string[]
}

/** The program as users start it. */
export const program = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/cli/main.js', import.meta.url)
    : new URL('../../cli/main.js', import.meta.url),
)

/** A module preloaded into the command. At exit it writes the peak memory to a separate pipe. */
export const memoryProbe = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS * 1024)))`)}`

/** Longer than any run takes: it waits twice for half a minute if fixtures hang. */
const patienceMs = 180_000

/** The most memory that a run may take. */
const mostBytes = 300 * 1024 * 1024

/** Runs the command against the hostile target with that id. */
export async function judgeHostile(id: string, thoroughness: Alteration): Promise<Judged> {
  const target = hostileTargets.find((each) => each.id === id)
  if (target === undefined) return brokenBy(`there is no hostile target "${id}"`)
  const began = performance.now()
  const wrongs = problemsOf(target.expect, await runAgainst(target, thoroughness))
  return { open: [], failed: [], wrongs, durationMs: Math.round(performance.now() - began) }
}

/** Starts the target, runs the command against it, and stops the target. */
async function runAgainst(
  target: HostileTarget,
  { seed, runs }: Pick<Alteration, 'seed' | 'runs'>,
): Promise<CommandRun> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-hostile-'))
  const running = await target.start()
  try {
    const out = join(folder, 'report')
    const config = join(folder, 'target.json')
    await writeFile(config, JSON.stringify(running.configuration))
    const words = ['run', '--config', config, '--out', out, '--seed', `${seed}`, '--runs', `${runs}`]
    const child = spawn(process.execPath, ['--import', memoryProbe, program, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        // The job that runs the self-test must not get a summary of the hostile target.
        GITHUB_STEP_SUMMARY: undefined,
        GITHUB_ACTIONS: undefined,
      },
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    })
    const written = (at: 1 | 2 | 3) => buffer(child.stdio[at] as Readable)
    const all = [once(child, 'close'), written(1), written(2), written(3)] as const
    const [[exitCode], stdout, stderr, memory] = await Promise.all(all)
    return {
      exitCode,
      stdout,
      stderr,
      files: await filesIn(out),
      results: await readResults(resultsFile(out)).catch((error: Error) => error.message),
      peakBytes: Number(memory.toString()),
      secrets: running.secrets,
    }
  } finally {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function filesIn(folder: string): Promise<CommandRun['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({ name, bytes: await readFile(join(parentPath, name)) })),
  )
}

const anything = /./

const unless = (fine: boolean, problem: string): string[] => (fine ? [] : [problem])

/** The problems, one line each. Empty: the run handled the target correctly. */
export function problemsOf(expect: Expectation, run: CommandRun): string[] {
  const { exitCode, peakBytes } = run
  const came = exitCode ?? `none (it was ended after ${patienceMs / 1000} s)`
  return [
    ...unless(exitCode === expect.exitCode, `exit code ${came} where ${expect.exitCode} was expected`),
    ...(expect.exitCode === exitCodes.broken ? unbegun(expect, run) : begun(expect, run.results)),
    ...unless(peakBytes <= mostBytes, `took ${Math.round(peakBytes / 1024 / 1024)} MiB of memory`),
    ...outputs(run),
  ]
}

/** If the run cannot start, stderr must give the reason in one line, and no files may remain. */
function unbegun({ says = anything }: Expectation, { stderr, files }: CommandRun): string[] {
  return [
    ...unless(says.test(stderr.toString()), `stderr does not say ${says}: ${stderr}`),
    ...files.map(({ name }) => `${name} was left behind by a run that did not begin`),
  ]
}

/** Every open check needs a one-line reason, and at least one reason must name what happened. */
function begun(expect: Expectation, results: Results | string): string[] {
  if (typeof results === 'string') return [`results.json: ${results}`]
  const { says = anything, fails = [], mayFail = [], mayPass = [] } = expect
  const gating = results.requirements.filter(({ level }) => isGating(level))
  const having = (outcome: string) => gating.filter((each) => each.outcome === outcome).map(({ id }) => id)
  const failed = having('failed')
  const open = results.requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'not-tested')
  const silent = open.filter(({ reason = '' }) => !/^.+$/.test(reason))
  const named = open.length === 0 || open.some(({ reason = '' }) => says.test(reason))
  const unexpected = (ids: typeof failed, may: NonNullable<Expectation['mayFail']>) =>
    may === 'any' ? [] : ids.filter((id) => !fails.includes(id) && !may.includes(id))
  return [
    ...unless(results.complete === true, 'results.json is not complete'),
    ...(results.errors ?? []).map((error) => `the suite broke: ${error}`),
    ...some('failed though nothing broke them', unexpected(failed, mayFail)),
    ...some(
      'did not fail',
      fails.filter((id) => !failed.includes(id)),
    ),
    ...some('passed', unexpected(having('passed'), mayPass)),
    ...some(
      'do not say in one line why they are open',
      silent.map(({ id }) => id),
    ),
    ...unless(named, `no reason says ${says}: ${open[0]?.reason}`),
  ]
}

const some = (what: string, ids: readonly string[]): string[] =>
  unless(ids.length === 0, `${ids.length} ${what}: ${ids.join(', ')}`)

/** Output must contain no secrets, the terminal no control characters, and HTML pages no foreign scripts. */
function outputs({ stdout, stderr, files, secrets }: CommandRun): string[] {
  const all = [{ name: 'stdout', bytes: stdout }, { name: 'stderr', bytes: stderr }, ...files]
  return all.flatMap(({ name, bytes }) => {
    const text = bytes.toString('utf8')
    const terminal = name === 'stdout' || name === 'stderr'
    const wrongs = {
      'a planted secret': secrets.some((secret) => text.includes(secret)),
      'control characters': terminal && /[^\P{C}\n]|\p{Zl}|\p{Zp}/u.test(text),
      'terminal escapes': !terminal && text.includes('\u001b'),
      'a foreign script': name.endsWith('.html') && text.includes('<script>alert('),
    }
    return Object.entries(wrongs).flatMap(([what, held]) => unless(!held, `${name} holds ${what}`))
  })
}
