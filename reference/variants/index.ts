/** Every permitted variant of the embedded portal: a run against any of them blames it for nothing. */
import { answerVariants } from './answers.ts'
import { availabilityVariants } from './availability.ts'
import { consequenceVariants } from './consequences.ts'
import { identityVariants } from './identity.ts'
import { recordVariants } from './records.ts'
import { valueVariants } from './values.ts'
import type { Variant } from './variant.ts'
import { visibilityVariants } from './visibility.ts'

export const variants: readonly Variant[] = [
  ...answerVariants,
  ...identityVariants,
  ...recordVariants,
  ...consequenceVariants,
  ...valueVariants,
  ...visibilityVariants,
  ...availabilityVariants,
]
