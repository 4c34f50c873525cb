/** The deployment under test: a configuration file where PORTAL_CONFIGURATION names one, else the embedded portal. */
import { startPortal } from 'portal-conformance/reference'

export interface Deployment {
  readonly configuration: string | object
  close(): Promise<void>
}

export async function openDeployment(): Promise<Deployment> {
  const { PORTAL_CONFIGURATION: file, PORTAL_FAULT: fault } = process.env
  if (file !== undefined) return { configuration: file, close: async () => {} }
  return startPortal({ faults: fault === undefined ? [] : [fault] })
}
