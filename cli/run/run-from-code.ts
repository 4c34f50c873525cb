/** One run on one target for a program: options in, results out. */
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { type OpenTarget, onConfiguration, targetOptionsOf } from '../arguments/target-options.ts'
import { CommandError, usageError } from '../command-error.ts'
import { settleWaivers } from '../waivers/unused-waivers.ts'
import {
  ConformanceError,
  type ConformanceErrorCode,
  type ConformanceOptions,
} from './conformance-options.ts'
import { judgeTarget } from './judge-target.ts'
import { onRun } from './prepare-run.ts'

/** Stands in commands for a configuration that is no file. */
const unnamedFile = 'CONFIGURATION'

/** Rejects with a ConformanceError if nothing could be judged, and with an error of a listener. */
export async function runFromCode(options: ConformanceOptions): Promise<Results> {
  if (options.signal?.aborted === true) throw new ConformanceError('interrupted', ['interrupted'])
  try {
    return await judge(options)
  } catch (error) {
    throw asConformanceError(error)
  }
}

async function judge(options: ConformanceOptions): Promise<Results> {
  const { configuration: given, environment = process.env, operations = [], requirements = [] } = options
  // Programs without types may pass a text.
  for (const [option, value] of Object.entries({ operations, requirements })) {
    if (!Array.isArray(value)) throw usageError(`${option}: a list is expected, such as ['${value}']`)
  }
  const source = typeof given === 'string' ? { file: given } : { value: given, name: 'the configuration' }
  const named = targetOptionsOf({ ...options, config: typeof given === 'string' ? given : unnamedFile })
  // An error of the listener ends the run.
  const listenerBroke = new AbortController()
  const onCheck = (result: CheckResult): void => {
    if (listenerBroke.signal.aborted) return
    try {
      options.onCheck?.(result)
    } catch (error) {
      listenerBroke.abort(error)
    }
  }
  const signal = AbortSignal.any([listenerBroke.signal, ...(options.signal ? [options.signal] : [])])
  return onConfiguration(source, named, { environment }, async (target) => {
    const wishes = {
      signal,
      targetOptions: named,
      selection: { operations, requirements },
      waivers: options.waivers,
      fixtures: options.fixtures && { provider: options.fixtures },
      ownProcess: false,
    }
    const listen = ({ configuration }: Pick<OpenTarget, 'configuration'>) => {
      const { text } = createRedactor(configuration)
      const warn = (message: string) => options.onWarning?.(text(message))
      return { warn, onCheck }
    }
    const results = await onRun(target, wishes, listen, async (run) => {
      const settled = await settleWaivers(run, await judgeTarget(run))
      for (const line of settled.stale) run.warn(line)
      return settled.results
    })
    if (listenerBroke.signal.aborted) throw listenerBroke.signal.reason
    return results
  })
}

const codes: Partial<Record<ExitCode, ConformanceErrorCode>> = {
  [exitCodes.usage]: 'usage',
  [exitCodes.broken]: 'unreachable',
  [exitCodes.interrupted]: 'interrupted',
}

function asConformanceError(error: unknown): unknown {
  if (error instanceof ConfigurationError) return new ConformanceError('configuration', error.problems)
  if (!(error instanceof CommandError)) return error
  const code = codes[error.exitCode]
  return code === undefined ? error : new ConformanceError(code, [error.message])
}
