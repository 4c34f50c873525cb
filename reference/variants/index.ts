/** Every permitted variant of the embedded portal: a run against any of them finds it conformant. */
import { consequenceVariants } from './consequences.ts'
import { identityVariants } from './identity.ts'
import { recordVariants } from './records.ts'
import { refusalVariants } from './refusals.ts'
import { transportVariants } from './transport.ts'
import type { Variant } from './variant.ts'

export const variants: readonly Variant[] = [
  ...refusalVariants,
  ...transportVariants,
  ...identityVariants,
  ...recordVariants,
  ...consequenceVariants,
]
