/** Processes that judge embedded portals side by side: a portal that takes one down costs its own judgement only. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Alteration } from './judge-portal.ts'
import type { Judged } from './judging-process.ts'

/** Longer than any judgement takes, in milliseconds. */
const patienceMs = 180_000

const script = fileURLToPath(new URL('./judging-process.js', import.meta.url))

/** Each of its users has one process at a time; the processes are used again. */
export class JudgingPool {
  readonly #idle: ChildProcess[] = []
  readonly #all = new Set<ChildProcess>()

  /** Never rejects: a process that dies or hangs is told as a suite that broke. */
  async judge(alteration: Alteration): Promise<Judged> {
    const child = this.#idle.pop() ?? this.#start()
    const judged = await answerOf(child, alteration)
    if (child.connected) this.#idle.push(child)
    return judged
  }

  /** Ends the processes, also those that are judging. */
  close(): void {
    for (const child of this.#all) child.kill()
  }

  #start(): ChildProcess {
    const child = fork(script, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#all.add(child)
    child.once('exit', () => this.#all.delete(child))
    return child
  }
}

function answerOf(child: ChildProcess, alteration: Alteration): Promise<Judged> {
  return new Promise((resolve) => {
    const settle = (judged: Judged) => {
      clearTimeout(timer)
      child.off('message', settle)
      child.off('exit', onExit)
      resolve(judged)
    }
    const onExit = (code: number | null, signal: string | null) =>
      settle({ broke: `the judging process ended (${signal ?? `exit code ${code}`})` })
    const timer = setTimeout(() => {
      child.disconnect()
      child.kill('SIGKILL')
      settle({ broke: `no judgement within ${patienceMs / 1000} s` })
    }, patienceMs)
    child.on('message', settle)
    child.on('exit', onExit)
    child.send(alteration)
  })
}
