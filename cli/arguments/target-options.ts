/** The target that a command line names, and its configuration. */
import { existsSync } from 'node:fs'
import { findDeployment } from '../../deployment/administration/find-deployment.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { ConfigurationSource } from '../../deployment/configuration/configuration-source.ts'
import { loadConfiguration, type Overrides } from '../../deployment/configuration/load-configuration.ts'
import { readyActors } from '../../deployment/credentials/ready-actors.ts'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { hidden } from '../../deployment/redaction/hiding.ts'
import { createRedactor, withMessage } from '../../deployment/redaction/redaction.ts'
import type { PortalOptions } from '../../reference/portal.ts'
import { unknownLike } from '../../runner/cases/likenesses.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { usageError } from '../command-error.ts'
import { type CommandContext, say } from '../process/command-context.ts'

export interface TargetOptions extends PortalChoice, Omit<Overrides, 'defaultRuns'> {
  readonly config?: string
  readonly reference?: boolean
  /** The first check of each requirement, with one case. */
  readonly quick?: boolean
}

export interface OpenTarget {
  readonly configuration: Configuration
  /** Shared by all callers that sign in during the command. */
  readonly signIns: SignIns
  /** The configuration with every credential that works; actors without one are absent. Sends requests. */
  ready(): Promise<Configuration>
}

/** What a command does with a target. Its errors lose the secrets of the configuration. */
type Work<Result> = (target: OpenTarget) => Promise<Result>

type TargetContext = Pick<CommandContext, 'environment' | 'lastWords'>

/** Cases of each generated check against the embedded portal, which answers fast. */
const runsOnReference = 100

/** `init` writes this file, and a command without a target reads it. */
export const usualFile = 'portal-conformance.yaml'

const howToName = `There is no ${usualFile} in this folder. Name the target:
  --config FILE   a configuration that says where the deployment is and who may call it
  --reference     the embedded portal, for trying things
portal-conformance init writes a configuration for your deployment.`

/** The options, with the usual configuration of this folder if they name no target; reports that on stderr. */
export function orUsualTarget<Options extends TargetOptions>(
  options: Options,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Options {
  const { config, reference = false } = options
  if (config !== undefined || reference || !existsSync(usualFile)) return options
  say(stderr, `Using ${usualFile}`)
  return { ...options, config: usualFile }
}

/** The work on the target of a command line. With --reference, the embedded portal runs meanwhile. Throws a usage or a configuration error. */
export async function onTarget<Result>(
  options: TargetOptions,
  context: TargetContext,
  work: Work<Result>,
): Promise<Result> {
  const { config, reference = false, fault = [], variant = [], latency } = options
  if (config !== undefined && reference) throw usageError('--config and --reference exclude each other')
  if (config === undefined && !reference) throw usageError(`no target. ${howToName}`)
  if (config !== undefined && (fault.length > 0 || variant.length > 0 || latency !== undefined)) {
    throw usageError('--fault, --variant and --latency change the embedded portal: they need --reference')
  }
  if (config !== undefined) return onConfiguration({ file: config }, options, context, work)
  // Loaded late: a command on a deployment needs no portal.
  const { startPortalThread } = await import('../../reference/portal-thread.ts')
  const portal = await startPortalThread(portalOptions(options)).catch(asPortalUsage)
  try {
    const source = { value: portal.configuration, name: 'the embedded portal' }
    return await onConfiguration(source, { ...options, defaultRuns: runsOnReference }, context, work)
  } finally {
    await portal.close()
  }
}

/** The work on the target of a configuration, in a file or in memory. Throws a configuration error. */
export async function onConfiguration<Result>(
  source: ConfigurationSource,
  options: Overrides & Pick<TargetOptions, 'quick'>,
  { environment, lastWords }: TargetContext,
  work: Work<Result>,
): Promise<Result> {
  const overrides = options.quick ? { ...options, runs: 0 } : options
  const configuration = loadConfiguration(source, overrides, environment)
  const signIns = new SignIns()
  let { text } = createRedactor(configuration)
  const forget = lastWords?.hide((line) => text(line))
  const ready = async (): Promise<Configuration> => {
    const known = Object.values(configuration.actors).find(({ credential }) => credential !== '')
    const madeUp = unknownLike(known?.credential ?? 'x'.repeat(40), configuration.run.seed)
    const ready = await readyActors(await findDeployment(configuration, signIns), madeUp, signIns)
    if (ready !== configuration) text = createRedactor(ready).text
    return ready
  }
  try {
    return await work({ configuration, signIns, ready })
  } catch (error) {
    throw withMessage(error, text)
  } finally {
    forget?.()
  }
}

const naming = [
  'config',
  'target',
  'reference',
  'fault',
  'variant',
  'latency',
  'baseUrl',
  'effects',
  'seed',
  'runs',
  'concurrency',
] as const satisfies readonly (keyof TargetOptions)[]

/** Of all options of a command, those that name the target and how it is judged. */
export function targetOptionsOf(options: TargetOptions): TargetOptions {
  return withoutUndefined(Object.fromEntries(naming.map((name) => [name, options[name]])))
}

/** The target of an earlier run, with what the command line names in its place. `source`: what recorded the run. */
export function recordedTarget(source: string, recorded: object = {}, named: TargetOptions): TargetOptions {
  if (named.config !== undefined || named.reference === true) return named
  const target: TargetOptions = { ...recorded, ...named }
  const isHidden = JSON.stringify(recorded).includes(hidden)
  if (isHidden || (target.config === undefined && target.reference !== true))
    throw usageError(`${source} names no target, or hides a secret in its name: name it with --config FILE`)
  return target
}

export interface PortalChoice {
  readonly fault?: readonly string[]
  readonly variant?: readonly string[]
  /** In milliseconds. */
  readonly latency?: number
}

/** The options that start the portal. */
export const portalOptions = ({ fault = [], variant = [], latency }: PortalChoice): PortalOptions =>
  withoutUndefined({ faults: fault, variants: variant, latencyMs: latency })

/** For `catch`: makes usage errors of an unknown fault or variant, and of a port that is taken. */
export function asPortalUsage(error: NodeJS.ErrnoException, port?: number): never {
  const { name, message, code } = error
  if (name === 'UnknownName') throw usageError(message)
  if (code === 'EADDRINUSE') throw usageError(`--port ${port}: another program uses it; 0 takes a free one`)
  if (code === 'EACCES') throw usageError(`--port ${port}: not allowed; take one above 1023, or 0`)
  throw error
}
