/** Every permitted variant of the embedded portal: a run against any of them blames it for nothing. */
import { availabilityVariants } from './availability.ts'
import { consequenceVariants } from './consequences.ts'
import { identityVariants } from './identity.ts'
import { recordVariants } from './records.ts'
import { refusalVariants } from './refusals.ts'
import { syncTimeVariants } from './sync-times.ts'
import { transportVariants } from './transport.ts'
import { valueVariants } from './values.ts'
import type { Variant } from './variant.ts'
import { visibilityVariants } from './visibility.ts'

export const variants: readonly Variant[] = [
  ...refusalVariants,
  ...transportVariants,
  ...identityVariants,
  ...recordVariants,
  ...consequenceVariants,
  ...syncTimeVariants,
  ...valueVariants,
  ...visibilityVariants,
  ...availabilityVariants,
]
