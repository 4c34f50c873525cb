/** One run on one target for a program: options in, results out. */
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { type ServedFixtures, serveFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { onConfiguration, targetOptionsOf } from '../arguments/target-options.ts'
import { CommandError } from '../command-error.ts'
import {
  ConformanceError,
  type ConformanceErrorCode,
  type ConformanceOptions,
} from './conformance-options.ts'
import { judgeTarget } from './judge-target.ts'
import { beginFixtures, cleanUpFixtures, newRunId, prepareRun, saidByFixtures } from './prepare-run.ts'
import { reachTarget } from './reach-target.ts'
import { replayCommand } from './replay-command.ts'

/** What a configuration that stands in no file is called in commands. */
const unnamedFile = 'CONFIGURATION'

/** Rejects with a ConformanceError where nothing could be judged, and with what a listener threw. */
export async function runFromCode(options: ConformanceOptions): Promise<Results> {
  const { fixtures, signal } = options
  if (signal?.aborted === true) throw new ConformanceError('interrupted', ['interrupted'])
  const served = fixtures === undefined ? undefined : await serveFixtures(fixtures)
  try {
    return await judge(options, served)
  } catch (error) {
    throw understood(error)
  } finally {
    await served?.close()
  }
}

async function judge(options: ConformanceOptions, served: ServedFixtures | undefined): Promise<Results> {
  const { configuration: given, environment = process.env, operations = [], requirements = [] } = options
  const source = typeof given === 'string' ? { file: given } : { value: given, name: 'the configuration' }
  const named = targetOptionsOf({ ...options, config: typeof given === 'string' ? given : unnamedFile })
  const listener = new Listener(options.onCheck)
  const signal =
    options.signal === undefined ? listener.broke : AbortSignal.any([options.signal, listener.broke])
  return onConfiguration(source, named, environment, async (target) => {
    const prepared = await prepareRun(target, {
      selection: { operations, requirements },
      shard: options.shard,
      waivers: options.waivers,
      fixtures: served && { url: served.url },
    })
    try {
      const { configuration, fixtures } = prepared
      const { text } = createRedactor(configuration)
      fixtures.hear((line) => options.onWarning?.(text(saidByFixtures(line))))
      const runId = configuration.administration?.runId ?? newRunId()
      const latencyMs = await reachTarget(configuration, signal)
      const begun = await beginFixtures(prepared, { signal })
      const { results } = await judgeTarget(
        {
          ...begun,
          replayCommand: replayCommand(named, configuration),
          targetOptions: named,
        },
        { runId, signal, latencyMs, ownProcess: false, onCheck: (result) => listener.hear(result) },
      )
      await cleanUpFixtures(fixtures, runId, signal, (message) => options.onWarning?.(text(message)))
      listener.rethrow()
      return results
    } finally {
      await prepared.fixtures.close()
    }
  })
}

/** Whoever listens to the run; where that throws, the run ends. */
class Listener {
  readonly #onCheck: ConformanceOptions['onCheck']
  readonly #broken = new AbortController()
  #thrown: { readonly error: unknown } | undefined

  constructor(onCheck: ConformanceOptions['onCheck']) {
    this.#onCheck = onCheck
  }

  /** Aborted once it threw. */
  get broke(): AbortSignal {
    return this.#broken.signal
  }

  hear(result: CheckResult): void {
    if (this.#thrown !== undefined) return
    try {
      this.#onCheck?.(result)
    } catch (error) {
      this.#thrown = { error }
      this.#broken.abort()
    }
  }

  rethrow(): void {
    if (this.#thrown !== undefined) throw this.#thrown.error
  }
}

const codes: Partial<Record<ExitCode, ConformanceErrorCode>> = {
  [exitCodes.usage]: 'usage',
  [exitCodes.broken]: 'unreachable',
  [exitCodes.interrupted]: 'interrupted',
}

function understood(error: unknown): unknown {
  if (error instanceof ConfigurationError) return new ConformanceError('configuration', error.problems)
  if (!(error instanceof CommandError)) return error
  const code = codes[error.exitCode]
  return code === undefined ? error : new ConformanceError(code, [error.message])
}
