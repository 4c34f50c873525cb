/** Starts the embedded portal as a command line asks for it. */
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { usageError } from '../command-error.ts'

export interface PortalChoice {
  readonly fault?: readonly string[]
  readonly variant?: readonly string[]
  /** In milliseconds. */
  readonly latency?: number
}

/** Throws a usage error for an unknown fault or variant, and for a port that cannot be had. */
export async function startEmbeddedPortal(
  { fault = [], variant = [], latency }: PortalChoice,
  port?: number,
  tls = false,
): Promise<EmbeddedPortal> {
  // Loaded here: only who needs the portal waits for it.
  const { startPortal } = await import('../../reference/portal.ts')
  try {
    return await startPortal({
      faults: fault,
      variants: variant,
      tls,
      ...(latency === undefined ? {} : { latencyMs: latency }),
      ...(port === undefined ? {} : { port }),
    })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    if (/^There is no (fault|variant) /.test(message)) throw usageError(message)
    if (code === 'EADDRINUSE') throw usageError(`--port ${port}: another program uses it; 0 takes a free one`)
    if (code === 'EACCES') throw usageError(`--port ${port}: not allowed; take one above 1023, or 0`)
    throw error
  }
}
