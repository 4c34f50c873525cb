/** The embedded portal from code, for tests of clients: `import { startPortal } from 'portal-conformance/reference'`. */
import { faults } from './faults/index.ts'
import { variants } from './variants/index.ts'

export type { ConfigurationFile } from './configuration.ts'
export { type EmbeddedPortal, type PortalOptions, startPortal } from './portal.ts'

/** Something that the portal can be decided to do otherwise. */
export interface Alteration {
  /** For `startPortal`. */
  readonly id: string
  /** What the portal then does. */
  readonly sentence: string
}

/** Ways to break the contract, for `faults`. */
export const faultCatalogue: readonly Alteration[] = faults.map(described)

/** Ways to keep it that differ from the plain portal, for `variants`. */
export const variantCatalogue: readonly Alteration[] = variants.map(described)

function described({ id, sentence }: Alteration): Alteration {
  return { id, sentence }
}
