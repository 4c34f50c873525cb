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
import { repeatCommand } from './repeat-command.ts'

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
  // Where the listener throws, the run ends.
  const listenerBroke = new AbortController()
  const thrown: unknown[] = []
  const onCheck = (result: CheckResult): void => {
    if (thrown.length > 0) return
    try {
      options.onCheck?.(result)
    } catch (error) {
      thrown.push(error)
      listenerBroke.abort()
    }
  }
  const signal = AbortSignal.any([listenerBroke.signal, ...(options.signal ? [options.signal] : [])])
  return onConfiguration(source, named, environment, async (target) => {
    const prepared = await prepareRun(target, {
      selection: { operations, requirements },
      waivers: options.waivers,
      fixtures: served && { url: served.url },
      signal,
    })
    try {
      const { configuration, fixtures, latencyMs } = prepared
      const { text } = createRedactor(configuration)
      fixtures.hear((line) => options.onWarning?.(text(saidByFixtures(line))))
      const runId = configuration.administration?.runId ?? newRunId()
      for (const notice of configuration.notices ?? []) options.onWarning?.(text(notice))
      const begun = await beginFixtures(prepared, { signal })
      const { results } = await judgeTarget(
        { ...begun, replayCommand: repeatCommand(named, configuration), targetOptions: named },
        { runId, signal, latencyMs, ownProcess: false, onCheck },
      )
      const warn = (message: string) => options.onWarning?.(text(message))
      await cleanUpFixtures(fixtures, { runId, signal, warn })
      if (thrown.length > 0) throw thrown[0]
      return results
    } finally {
      await prepared.fixtures.close()
    }
  })
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
