/** The engine: runs checks side by side in this process, on one target, and collects what they found. */
import { once } from 'node:events'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import type { CheckDefinition, Declared } from './check.ts'
import type { CheckResult } from './check-result.ts'
import type { ExchangeSummary } from './exchange-summary.ts'
import type { RequirementLooks } from './log/looks.ts'
import { checksHere, named } from './plan.ts'
import { runCheck } from './run-check.ts'
import type { RunInput } from './run-input.ts'
import { newsOf, type Pulse, Pulses, type RunNews } from './run-news.ts'
import { withoutDoubles } from './run-watch.ts'
import { Session } from './session.ts'
import { sweep } from './sweep.ts'

/** Who follows a run. Listeners must not throw. */
export interface RunListener {
  /** Aborted when the run must end early: nothing is sent from then on, and no further result counts. */
  readonly signal?: AbortSignal
  /** Called with the result of each check as it ends; with those of the watch at the end. */
  readonly onCheck?: (result: CheckResult) => void
  /** Called with each error of the suite itself and the check that it broke. Absent: the run rejects with the first. */
  readonly onBroken?: (id: CheckResult['id'], error: unknown) => void
  /** Called every 200 ms. */
  readonly onPulse?: (pulse: Pulse) => void
  /** The same, and at the end. */
  readonly onNews?: (news: RunNews) => void
}

/** What a run found. */
export interface RunEnd {
  /** In the order of the suite, those of the watch last. */
  readonly checks: readonly CheckResult[]
  /** How many answers showed each requirement. */
  readonly looks: readonly RequirementLooks[]
  readonly exchanges?: ExchangeSummary
  /** Why nothing more was sent from some time on: the target had gone. */
  readonly stopped?: string
}

const pulseMs = 200

/** Longest time for tidying up at the end, in milliseconds. */
const sweepMs = 60_000

/** How long checks begin in one go, in milliseconds: requests, signals and the terminal get their turn in between. */
const sliceMs = 5

/** Runs those of the declared checks that are checks of the target. Rejects where the run cannot begin at all. */
export async function runAll(
  declared: readonly Declared[],
  input: RunInput,
  listener: RunListener = {},
): Promise<RunEnd> {
  const { signal = new AbortController().signal, onCheck, onBroken, onPulse, onNews } = listener
  const session = new Session(input, signal)
  const here = checksHere(declared, input.configuration)
  const found = new Map<CheckResult['id'], CheckResult>()
  const ended = (result: CheckResult): void => {
    if (signal.aborted) return
    found.set(result.id, result)
    onCheck?.(result)
  }
  const pulses = new Pulses(session)
  const timer = setInterval(() => {
    onPulse?.(pulses.next())
    onNews?.(newsOf(session))
  }, pulseMs)
  try {
    const turn = turns()
    const running = inOrder(here, input).map(async ({ definition }) => {
      await turn()
      if (signal.aborted) return
      try {
        ended(await runCheck(definition, session))
      } catch (error) {
        if (signal.aborted) return
        if (onBroken === undefined) throw error
        onBroken(definition.id, error)
        ended(brokenCheck(definition, error))
      }
    })
    await unlessAborted(Promise.all(running), signal)
    const stopped = session.channel.whyGone
    await unlessAborted(Promise.race([sweep(session), sleep(sweepMs, undefined, { ref: false })]), signal)
    const checks = here.flatMap(({ definition }) => found.get(definition.id) ?? [])
    const all = withoutDoubles([...checks, ...session.watch.results()])
    for (const result of all.slice(checks.length)) onCheck?.(result)
    onNews?.(newsOf(session))
    const exchanges = session.tally.summary()
    return withoutUndefined({ checks: all, looks: session.watch.looks.summary(), exchanges, stopped })
  } finally {
    clearInterval(timer)
    await session.close()
  }
}

/**
 * Checks that wait for time to pass begin first: at the end nothing would be left to do meanwhile. With few fixtures the
 * order is that of the suite, because the first check uses them up.
 */
function inOrder(checks: readonly Declared[], { configuration: { run } }: RunInput): readonly Declared[] {
  const rank = ({ definition: { traits } }: Declared): number =>
    traits.includes('timed') ? 0 : traits.includes('overlapping') ? 1 : 2
  return run.plentiful ? checks.toSorted((one, other) => rank(one) - rank(other)) : checks
}

/** Lets checks begin by and by: the requests of the first are under way while the next make up their cases. */
function turns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let sliceEnds = performance.now() + sliceMs
  return () => {
    last = last.then(async () => {
      if (performance.now() < sliceEnds) return
      await setImmediate()
      sliceEnds = performance.now() + sliceMs
    })
    return last
  }
}

/** Waits for the work to end or the signal to be aborted, and rejects only with what the work rejects with before that. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  // What it rejects with later concerns nothing any more.
  work.catch(() => undefined)
  if (signal.aborted) return
  const over = new AbortController()
  const aborted = once(signal, 'abort', { signal: over.signal }).catch(() => undefined)
  try {
    await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}

/** A check that broke says nothing about the target, and nothing in its favour either. */
function brokenCheck(definition: CheckDefinition, error: unknown): CheckResult {
  const [message] = String((error as Error | undefined)?.message || error).split('\n', 1)
  const reason = `the check itself broke: ${message}`
  return { ...named(definition), outcome: 'inconclusive', reason, durationMs: 0, requests: 0 }
}
