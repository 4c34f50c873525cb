/**
 * The embedded portal from code, for tests of clients: `import { startPortal } from 'portal-conformance/reference'`.
 */
import { faults } from './faults/index.ts'
import { variants } from './variants/index.ts'

export type { ConfigurationFile } from './configuration.ts'
export { type EmbeddedPortal, type PortalOptions, startPortal } from './portal.ts'

/** A change to the portal's behaviour. */
export interface Alteration {
  /** The id to pass to `startPortal`. */
  readonly id: string
  /** What the portal then does. */
  readonly sentence: string
}

/** Changes that break the contract, for `faults`. */
export const faultCatalogue: readonly Alteration[] = faults.map(described)

/** Permitted changes, for `variants`. */
export const variantCatalogue: readonly Alteration[] = variants.map(described)

function described({ id, sentence }: Alteration): Alteration {
  return { id, sentence }
}
