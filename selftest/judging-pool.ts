/** Processes that judge targets, one at a time each. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Lanes } from '../runner/lanes.ts'
import { type Alteration, brokenBy, type Judged } from './judgement.ts'

/** Longer than any judgement takes, in ms. */
const patienceMs = 300_000

const script = fileURLToPath(new URL('./judging-process.js', import.meta.url))

export class JudgingPool {
  readonly #lanes: Lanes
  readonly #idle: ChildProcess[] = []
  readonly #signal: AbortSignal

  /** An aborted signal ends all processes, even those that are judging. */
  constructor(jobs: number, signal: AbortSignal) {
    this.#lanes = new Lanes(jobs)
    this.#signal = signal
  }

  /** If the process dies or hangs, the result says that the suite broke. Rejects only if the signal is aborted. */
  judge(alteration: Alteration): Promise<Judged> {
    return this.#lanes.run(async () => {
      this.#signal.throwIfAborted()
      const child = this.#idle.pop() ?? fork(script, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      const judged = await this.#answerOf(child, alteration)
      this.#signal.throwIfAborted()
      if (child.connected) this.#idle.push(child)
      return judged
    })
  }

  close(): void {
    for (const child of this.#idle) child.kill()
  }

  #answerOf(child: ChildProcess, alteration: Alteration): Promise<Judged> {
    return new Promise((resolve) => {
      const settle = (judged: Judged) => {
        clearTimeout(timer)
        this.#signal.removeEventListener('abort', stop)
        child.removeAllListeners('message').removeAllListeners('exit')
        resolve(judged)
      }
      const stop = () => child.kill('SIGKILL')
      const timer = setTimeout(stop, patienceMs)
      this.#signal.addEventListener('abort', stop, { once: true })
      child.once('message', settle)
      child.once('exit', (code, signal) =>
        settle(brokenBy(`the judging process ended (${signal ?? `exit code ${code}`})`)),
      )
      child.send(alteration)
    })
  }
}
