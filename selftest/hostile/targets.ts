/** All hostile and broken targets. */
import { brokenAnswers, brokenFixtures, wrongAnswers } from './broken-answers.ts'
import { notAPortal, unreachable } from './not-a-portal.ts'
import type { HostileTarget } from './servers.ts'

/** Those that take long are last. */
export const hostileTargets: readonly HostileTarget[] = [
  ...unreachable,
  ...notAPortal,
  ...brokenAnswers,
  ...wrongAnswers,
  ...brokenFixtures,
]
