/** The embedded portal that a command line asks for. */
import type { Served } from '../../reference/application.ts'
import type { EmbeddedPortal, PortalOptions } from '../../reference/portal.ts'
import type { PortalThread } from '../../reference/portal-thread.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { usageError } from '../command-error.ts'

export interface PortalChoice {
  readonly fault?: readonly string[]
  readonly variant?: readonly string[]
  /** In milliseconds. */
  readonly latency?: number
}

/** The portal of a run, on a thread of its own. Throws a usage error for an unknown fault or variant. */
export async function startPortalOfRun(choice: PortalChoice): Promise<PortalThread> {
  // Loaded late: a command on a deployment needs no portal.
  const { startPortalThread } = await import('../../reference/portal-thread.ts')
  return startPortalThread(portalOptions(choice)).catch(asPortalUsage)
}

interface Serving {
  readonly port?: number
  readonly tls?: boolean
  /** Receives every request with its answer. */
  readonly watch?: (served: Served) => void
}

/** The portal of `serve`. Throws a usage error for an unknown fault or variant, and for a port that is taken. */
export async function startEmbeddedPortal(
  choice: PortalChoice,
  { port, tls, watch }: Serving,
): Promise<EmbeddedPortal> {
  const { startWatchedPortal } = await import('../../reference/portal.ts')
  const { readFromPages } = await import('../../reference/pages.ts')
  const options = withoutUndefined({ ...portalOptions(choice), tls, port, alter: readFromPages })
  return startWatchedPortal(options, withoutUndefined({ watch })).catch((error) => asPortalUsage(error, port))
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
