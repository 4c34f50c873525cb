/** Every hostile and broken target. */
import { brokenAnswers, brokenFixtures, wrongAnswers } from './broken-answers.ts'
import type { HostileTarget } from './hostile-target.ts'
import { notAPortal, unreachable } from './not-a-portal.ts'

/** Those that take longest stand first. */
export const hostileTargets: readonly HostileTarget[] = [
  ...brokenFixtures.toReversed(),
  ...wrongAnswers,
  ...brokenAnswers,
  ...notAPortal,
  ...unreachable,
]
