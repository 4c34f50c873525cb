/** Every permitted variant of the embedded portal. A run against any of them must have no findings. */
import { answerVariants } from './answers.ts'
import { availabilityVariants, visibilityVariants } from './availability.ts'
import { consequenceVariants } from './consequences.ts'
import { identityVariants } from './identity.ts'
import { recordVariants, valueVariants } from './values.ts'
import type { Variant } from './variant.ts'

export const variants: readonly Variant[] = [
  ...answerVariants,
  ...identityVariants,
  ...recordVariants,
  ...consequenceVariants,
  ...valueVariants,
  ...visibilityVariants,
  ...availabilityVariants,
]
