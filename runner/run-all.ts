/** The engine: runs checks concurrently in this process on one target, shows progress, and collects their results. */
import { once } from 'node:events'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { listedFixtures } from '../deployment/configuration/configuration.ts'
import type { PutOff } from '../deployment/http/client.ts'
import type { ExchangeSummary } from '../schemas/types/results.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { type CheckDefinition, waits } from './check.ts'
import { type CheckId, type CheckResult, withoutDuplicates } from './check-result.ts'
import type { RequirementLooks } from './log/counts.ts'
import { sweep } from './perform.ts'
import { checksHere, named } from './plan.ts'
import { examineDoubts } from './refusals/flakiness.ts'
import { isFirstCheck } from './refusals/refusal.ts'
import { runCheck } from './run-check.ts'
import type { RunInput } from './run-input.ts'
import type { RunFacts } from './run-time.ts'
import { Session } from './session.ts'

/** How the target delays the run. */
export interface RunNews {
  readonly putOff: PutOff & { readonly busy?: number }
  readonly facts: RunFacts
}

/** A sign of progress. */
export interface Pulse {
  /** Requests sent so far. */
  readonly requests: number
  /** A few checks that got answers lately. */
  readonly current: readonly CheckId[]
  /** How many other checks did. */
  readonly others: number
}

/** Follows a run. Listeners must not throw. */
export interface RunListener {
  /** Abort it to end the run early: nothing more is sent, and no further result counts. */
  readonly signal?: AbortSignal
  /** Called with the result of each check when it ends, and with those of the watch at the end. */
  readonly onCheck?: (result: CheckResult) => void
  /** Called with errors of the suite and the check they broke. Absent: the run rejects with the first one. */
  readonly onBroken?: (id: CheckResult['id'], error: unknown) => void
  /** Called every 200 ms. */
  readonly onPulse?: (pulse: Pulse) => void
  /** Called every 200 ms and at the end. */
  readonly onNews?: (news: RunNews) => void
}

/** The results of a run. */
export interface RunEnd {
  /** In the order of the suite, those of the watch last. */
  readonly checks: readonly CheckResult[]
  /** How many answers showed each requirement. */
  readonly looks: readonly RequirementLooks[]
  readonly exchanges?: ExchangeSummary
  /** Why the run stopped sending: the target was gone. */
  readonly stopped?: string
}

const pulseMs = 200

/** The time limit for cleaning up at the end, in ms. */
const sweepMs = 60_000

/** Runs the declared checks that this target has. Rejects if the run cannot begin. */
export async function runAll(
  declared: readonly CheckDefinition[],
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
    const run = async (definition: CheckDefinition): Promise<void> => {
      if (signal.aborted) return
      try {
        ended(await runCheck(definition, session))
      } catch (error) {
        if (signal.aborted) return
        if (onBroken === undefined) throw error
        onBroken(definition.id, error)
        ended(brokenCheck(definition, error))
      }
    }
    const [first, others] = inTwo(startOrder(here, input), input)
    for (const checks of [first, others]) await unlessAborted(runGradually(checks, run), signal)
    const failed = [...found.values()].filter(({ outcome }) => outcome === 'failed')
    await unlessAborted(examineDoubts(session, new Set(failed.map(({ requirement }) => requirement))), signal)
    const stopped = session.channel.whyGone
    await unlessAborted(Promise.race([sweep(session), sleep(sweepMs, undefined, { ref: false })]), signal)
    const checks = here.flatMap(({ id }) => found.get(id) ?? [])
    const all = withoutDuplicates([...checks, ...session.watch.results()])
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
 * Checks that wait for time to pass begin first, so that others can run meanwhile. With few fixtures the order stays,
 * because the first checks use them up.
 */
function startOrder(
  checks: readonly CheckDefinition[],
  { configuration: { run } }: RunInput,
): readonly CheckDefinition[] {
  const rank = (check: CheckDefinition): number =>
    waits(check) ? 0 : check.traits.includes('overlapping') ? 1 : 2
  return run.plentiful ? checks.toSorted((one, other) => rank(one) - rank(other)) : checks
}

/**
 * Checks that use up lists of fixtures before others may, and the others: without the first requirement of an operation
 * nothing else about it proves anything.
 */
function inTwo(
  checks: readonly CheckDefinition[],
  { configuration }: RunInput,
): readonly [readonly CheckDefinition[], readonly CheckDefinition[]] {
  if (listedFixtures(configuration) === undefined) return [[], checks]
  return [checks.filter(isFirstCheck), checks.filter((check) => !isFirstCheck(check))]
}

/** Between the starts of two checks, requests, signals and the terminal get their turn. */
function runGradually(
  checks: readonly CheckDefinition[],
  run: (check: CheckDefinition) => Promise<void>,
): Promise<unknown> {
  let turn: Promise<void> = Promise.resolve()
  const running = checks.map((check) => {
    turn = turn.then(() => setImmediate())
    return turn.then(() => run(check))
  })
  return Promise.all(running)
}

/** Waits until the work ends or the signal is aborted. Rejects only with errors before that. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  // Errors after the abort do not matter.
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

/** A check that broke says nothing about the target, neither bad nor good. */
function brokenCheck(definition: CheckDefinition, error: unknown): CheckResult {
  const [message] = String((error as Error | undefined)?.message || error).split('\n', 1)
  const reason = `the check itself broke: ${message}`
  return { ...named(definition), outcome: 'inconclusive', reason, durationMs: 0, requests: 0 }
}

function newsOf(session: Session): RunNews {
  const { count: busy } = session.patience.busy
  const { putOff } = session.channel.client
  return { putOff: { ...putOff, ...(busy === 0 ? {} : { busy }) }, facts: session.facts }
}

const mostCurrent = 3

/** The pulses of a session. */
export class Pulses {
  readonly #session: Session
  #current: readonly CheckId[] = []
  #others = 0

  constructor(session: Session) {
    this.#session = session
  }

  next(): Pulse {
    const { answered } = this.#session.tally
    // Without new answers, the checks shown before are still waiting.
    if (answered.size > 0) {
      this.#current = chosen(answered, this.#current)
      this.#others = answered.size - this.#current.length
    }
    answered.clear()
    return { requests: this.#session.channel.client.requests, current: this.#current, others: this.#others }
  }
}

/** The busiest checks. Those shown before stay while they are busy. */
export function chosen(answered: ReadonlyMap<CheckId, number>, shown: readonly CheckId[]): CheckId[] {
  const still = shown.filter((id) => answered.has(id))
  const further = [...answered]
    .filter(([id]) => !still.includes(id))
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
  return [...still, ...further].slice(0, mostCurrent)
}
