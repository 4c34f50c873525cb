/** Runs a tool in a process of its own, and watches its memory from outside, since not every tool is of Node.js. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { now } from '../child.ts'

export interface ToolEnd {
  readonly startedAt: number
  readonly wallMs: number
  readonly code: number | null
  /** What it wrote to stdout and stderr. */
  readonly output: string
  /** The peaks of resident memory of its processes together, in bytes; 0 where the system does not tell. */
  readonly peakBytes: number
}

/** Nothing is reported home, coloured, or kept in the home of the user. */
const quiet = (folder: string): NodeJS.ProcessEnv => ({
  STEPCI_DISABLE_ANALYTICS: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  COLUMNS: '200',
  PYTHONWARNINGS: 'ignore',
  XDG_CONFIG_HOME: folder,
})

/** Longest time that a tool is given, in milliseconds. */
const patience = 300_000

/** Resolves once the tool has ended, with whatever code; rejects where it cannot start or does not end. */
export function runTool(words: readonly string[], folder: string): Promise<ToolEnd> {
  const [command, ...rest] = words as [string, ...string[]]
  const startedAt = now()
  const child = spawn(command, rest, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet(folder) },
  })
  const peaks = new Map<number, number>()
  const watch = setInterval(() => void notePeaks(child.pid, peaks), 50)
  return new Promise<ToolEnd>((resolve, reject) => {
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${command} did not end within ${patience / 1000} s`))
    }, patience)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    let wallMs = 0
    child.once('exit', () => {
      wallMs = now() - startedAt
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      const peakBytes = [...peaks.values()].reduce((sum, peak) => sum + peak, 0)
      resolve({ startedAt, wallMs, code, output: Buffer.concat(chunks).toString('utf8'), peakBytes })
    })
  }).finally(() => clearInterval(watch))
}

/** The high-water mark of a process and of those it started, where there is a /proc. */
async function notePeaks(pid: number | undefined, peaks: Map<number, number>): Promise<void> {
  if (pid === undefined) return
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  if (kilobytes > 0) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, kilobytes * 1024))
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const child of children.split(' ').filter(Boolean)) await notePeaks(Number(child), peaks)
}
