/** Which target a command line names, and its configuration. */
import { existsSync } from 'node:fs'
import { findDeployment } from '../../deployment/administration/find-deployment.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { ConfigurationSource } from '../../deployment/configuration/configuration-source.ts'
import { loadConfiguration, type Overrides } from '../../deployment/configuration/load-configuration.ts'
import { readyActors } from '../../deployment/credentials/ready-actors.ts'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { createRedactor, withMessage } from '../../deployment/redaction/redaction.ts'
import type { EmbeddedPortal, PortalOptions } from '../../reference/portal.ts'
import type { PortalThread } from '../../reference/portal-thread.ts'
import { unknownLike } from '../../runner/context/unknown.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { usageError } from '../command-error.ts'
import { alsoHide } from '../process/run-errors.ts'
import { type Surroundings, say } from '../process/surroundings.ts'

export interface TargetOptions extends PortalChoice, Omit<Overrides, 'defaultRuns'> {
  readonly config?: string
  readonly reference?: boolean
  /** The first check of each requirement, with one case. */
  readonly quick?: boolean
}

export interface OpenTarget {
  readonly configuration: Configuration
  /** Everybody who signs in during the command does it through these. */
  readonly signIns: SignIns
  /** The configuration with every credential in it; actors without a working one are absent. Sends requests. */
  ready(): Promise<Configuration>
}

/** What is done with a target. What it throws loses the secrets of the configuration in its message. */
type Work<Result> = (target: OpenTarget) => Promise<Result>

/** Cases of each generated check against the embedded portal, which answers in no time. */
const runsOnReference = 100

/** What `init` writes, and what commands use that name no target. */
export const usualFile = 'portal-conformance.yaml'

const howToName = `There is no ${usualFile} in this folder. Name the target:
  --config FILE   a configuration that says where the deployment is and who may call it
  --reference     the embedded portal, for trying things
portal-conformance init writes a configuration for your deployment.`

/** The options, with the usual configuration of this folder if they name no target; says so on stderr. */
export function orUsualTarget<Options extends TargetOptions>(
  options: Options,
  { stderr }: Pick<Surroundings, 'stderr'>,
): Options {
  const { config, reference = false } = options
  if (config !== undefined || reference || !existsSync(usualFile)) return options
  say(stderr, `Using ${usualFile}`)
  return { ...options, config: usualFile }
}

/** The work on the target of a command line; for --reference the embedded portal is there for so long. Throws a usage or a configuration error. */
export async function onTarget<Result>(
  options: TargetOptions,
  environment: NodeJS.ProcessEnv,
  work: Work<Result>,
): Promise<Result> {
  const { config, reference = false, fault = [], variant = [], latency } = options
  if (config !== undefined && reference) throw usageError('--config and --reference exclude each other')
  if (config === undefined && !reference) throw usageError(`no target. ${howToName}`)
  if (config !== undefined && (fault.length > 0 || variant.length > 0 || latency !== undefined)) {
    throw usageError('--fault, --variant and --latency change the embedded portal: they need --reference')
  }
  if (config !== undefined) return onConfiguration({ file: config }, options, environment, work)
  const portal = await startPortalOfRun(options)
  try {
    const source = { value: portal.configuration, name: 'the embedded portal' }
    return await onConfiguration(source, { ...options, defaultRuns: runsOnReference }, environment, work)
  } finally {
    await portal.close()
  }
}

/** The work on the target of a configuration that is at hand, in a file or in memory. Throws a configuration error. */
export async function onConfiguration<Result>(
  source: ConfigurationSource,
  options: Overrides & Pick<TargetOptions, 'quick'>,
  environment: NodeJS.ProcessEnv,
  work: Work<Result>,
): Promise<Result> {
  const overrides = options.quick ? { ...options, runs: 0 } : options
  const configuration = loadConfiguration(source, overrides, environment)
  const signIns = new SignIns()
  let { text } = createRedactor(configuration)
  let forget = alsoHide(text)
  const ready = async (): Promise<Configuration> => {
    const known = Object.values(configuration.actors).find(({ credential }) => credential !== '')
    const madeUp = unknownLike(known?.credential ?? 'x'.repeat(40), configuration.run.seed)
    const ready = await readyActors(await findDeployment(configuration, signIns), madeUp, signIns)
    if (ready === configuration) return ready
    forget()
    text = createRedactor(ready).text
    forget = alsoHide(text)
    return ready
  }
  try {
    return await work({ configuration, signIns, ready })
  } catch (error) {
    throw withMessage(error, text)
  } finally {
    forget()
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

/** Only what names the target and how it is judged, out of all options of a command. */
export function targetOptionsOf(options: TargetOptions): TargetOptions {
  return withoutUndefined(Object.fromEntries(naming.map((name) => [name, options[name]])))
}

export interface PortalChoice {
  readonly fault?: readonly string[]
  readonly variant?: readonly string[]
  /** In milliseconds. */
  readonly latency?: number
}

/** The portal of a run, on a thread of its own. Throws a usage error for an unknown fault or variant. */
async function startPortalOfRun(choice: PortalChoice): Promise<PortalThread> {
  const { startPortalThread } = await import('../../reference/portal-thread.ts')
  return startPortalThread(portalOptions(choice)).catch(asPortalUsage)
}

/** Throws a usage error for an unknown fault or variant, and for a port that cannot be had. */
export async function startEmbeddedPortal(
  choice: PortalChoice,
  port: number | undefined,
  tls: boolean | undefined,
): Promise<EmbeddedPortal> {
  // Loaded here: only who needs the portal waits for it.
  const { startPortal } = await import('../../reference/portal.ts')
  return startPortal(withoutUndefined({ ...portalOptions(choice), tls, port })).catch((error) =>
    asPortalUsage(error, port),
  )
}

const portalOptions = ({ fault = [], variant = [], latency }: PortalChoice): PortalOptions =>
  withoutUndefined({ faults: fault, variants: variant, latencyMs: latency })

function asPortalUsage(error: NodeJS.ErrnoException, port?: number): never {
  const { name, message, code } = error
  if (name === 'UnknownName') throw usageError(message)
  if (code === 'EADDRINUSE') throw usageError(`--port ${port}: another program uses it; 0 takes a free one`)
  if (code === 'EACCES') throw usageError(`--port ${port}: not allowed; take one above 1023, or 0`)
  throw error
}
