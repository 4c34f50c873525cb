/** Loaded by Vitest before each suite file: turns every check that the file declares into a concurrent test. */
import { inject } from 'vitest'
import type { CheckResult } from './check-result.ts'
import type { WorkerInput } from './worker-input.ts'

declare module 'vitest' {
  interface ProvidedContext {
    portalConformance: WorkerInput
  }
  interface TaskMeta {
    checkResult?: CheckResult
  }
}

inject('portalConformance')
