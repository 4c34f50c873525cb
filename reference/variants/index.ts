/** Every permitted variant of the embedded portal. A run against any of them must have no findings. */

import type { Variant } from '../alterations.ts'
import { answerVariants } from './answers.ts'
import { availabilityVariants, visibilityVariants } from './availability.ts'
import { consequenceVariants } from './consequences.ts'
import { identityVariants } from './identity.ts'
import { recordVariants, valueVariants } from './values.ts'

export const variants: readonly Variant[] = [
  ...answerVariants,
  ...identityVariants,
  ...recordVariants,
  ...consequenceVariants,
  ...valueVariants,
  ...visibilityVariants,
  ...availabilityVariants,
]
