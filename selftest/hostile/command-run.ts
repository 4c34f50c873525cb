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
import type { RequirementId } from '../../specs/requirements.ts'
import type { Expectation, HostileTarget } from './servers.ts'

export interface CommandRun {
  /** Null: a signal ended the process. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** The reason, if results.json is missing or invalid. */
  readonly results: Results | string
  readonly durationMs: number
  /** Peak resident memory in bytes. Absent: the process did not end by itself. */
  readonly peakBytes?: number
  readonly secrets: readonly string[]
  readonly wrongs: readonly string[]
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

/** How much longer than its limit a run may take before it is killed. */
const patienceMs = 30_000

/** Starts the target, runs the command against it, and stops the target. */
export async function runAgainst(
  target: HostileTarget,
  { seed, runs, signal }: { seed: number; runs: number; signal?: AbortSignal },
): Promise<CommandRun> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-hostile-'))
  const running = await target.start()
  try {
    const out = join(folder, 'report')
    const config = join(folder, 'target.json')
    await writeFile(config, JSON.stringify(running.configuration))
    const words = ['run', '--config', config, '--out', out, '--seed', `${seed}`, '--runs', `${runs}`]
    const began = performance.now()
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
      timeout: (target.expect.timeoutsMs ?? 0) + patienceMs,
      killSignal: 'SIGKILL',
      signal,
    })
    const written = (at: 1 | 2 | 3) => buffer(child.stdio[at] as Readable)
    const all = [once(child, 'close'), written(1), written(2), written(3)] as const
    const [[exitCode], stdout, stderr, memory] = await Promise.all(all)
    const durationMs = Math.round(performance.now() - began)
    return {
      exitCode,
      stdout,
      stderr,
      files: await filesIn(out),
      results: await readResults(resultsFile(out)).catch((error: Error) => error.message),
      durationMs,
      ...(memory.length === 0 ? {} : { peakBytes: Number(memory.toString()) }),
      secrets: running.secrets,
      wrongs: running.wrongs?.() ?? [],
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

/** How long a run may take beyond its time-outs, in ms, and how much memory it may use, in bytes. */
const graceMs = 5000
const mostBytes = 300 * 1024 * 1024

const shown = 5
const anything = /./

/** The problems, one line each. Empty: the run handled the target correctly. */
export function problemsOf(expect: Expectation, run: CommandRun): string[] {
  const { exitCode, wrongs } = run
  const came = exitCode ?? 'none (it was ended)'
  return [
    ...unless(exitCode === expect.exitCode, `exit code ${came} where ${expect.exitCode} was expected`),
    ...(expect.exitCode === exitCodes.broken ? unbegun(expect, run) : begun(expect, run)),
    ...bounds(expect, run),
    ...outputs(run),
    ...wrongs,
  ]
}

const unless = (fine: boolean, problem: string): string[] => (fine ? [] : [problem])

/** If the run cannot start, stderr must give the reason in one line, and no files may remain. */
function unbegun({ says = anything }: Expectation, { stderr, files }: CommandRun): string[] {
  const lines = stderr.toString().trimEnd().split('\n')
  return [
    ...unless(
      lines.some((line) => says.test(line)),
      `stderr does not say ${says}: ${lines.at(-1)}`,
    ),
    ...files.map(({ name }) => `${name} was left behind by a run that did not begin`),
  ]
}

function begun(expect: Expectation, { results }: CommandRun): string[] {
  if (typeof results === 'string') return [`results.json: ${results}`]
  return [
    ...unless(results.complete === true, 'results.json is not complete'),
    ...(results.errors ?? []).map((error) => `the suite broke: ${error}`),
    ...wrongOutcomes(expect, results),
    ...wrongReasons(expect, results),
  ]
}

function wrongOutcomes({ fails = [], mayFail = [], mayPass = [] }: Expectation, results: Results): string[] {
  const failed = gating(results, 'failed')
  const passed = gating(results, 'passed')
  const unexpected = mayFail === 'any' ? [] : failed.filter((id) => ![...fails, ...mayFail].includes(id))
  const missing = fails.filter((id) => !failed.includes(id))
  return [
    ...some('failed though nothing broke them', unexpected),
    ...some('did not fail', missing),
    ...some('passed', mayPass === 'any' ? [] : passed.filter((id) => !mayPass.includes(id))),
  ]
}

/** Every open check needs a one-line reason, and at least one reason must name what happened. */
function wrongReasons({ says = anything }: Expectation, { requirements }: Results): string[] {
  const open = requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'not-tested')
  const reasons = open.map(({ reason = '' }) => reason)
  const silent = open.filter(({ reason = '' }) => reason === '' || reason.includes('\n')).map(({ id }) => id)
  const reported = open.length === 0 || reasons.some((reason) => says.test(reason))
  return [
    ...some('do not say in one line why they are open', silent),
    ...unless(reported, `no reason says ${says}: ${reasons[0]}`),
  ]
}

function gating({ requirements }: Results, outcome: string): RequirementId[] {
  return requirements
    .filter((requirement) => isGating(requirement.level) && requirement.outcome === outcome)
    .map(({ id }) => id)
}

function some(what: string, ids: readonly string[]): string[] {
  const more = ids.length > shown ? ` and ${ids.length - shown} more` : ''
  return unless(ids.length === 0, `${ids.length} ${what}: ${ids.slice(0, shown).join(', ')}${more}`)
}

function bounds({ timeoutsMs = 0 }: Expectation, { durationMs, peakBytes }: CommandRun): string[] {
  const allowed = timeoutsMs + graceMs
  return [
    ...unless(durationMs <= allowed, `took ${durationMs} ms where ${allowed} are allowed`),
    ...(peakBytes === undefined
      ? ['memory could not be measured']
      : unless(peakBytes <= mostBytes, `took ${Math.round(peakBytes / 1024 / 1024)} MiB of memory`)),
  ]
}

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
