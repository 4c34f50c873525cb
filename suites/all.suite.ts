/** The one file that Vitest runs: the whole suite. */
import { testChecks } from '../runner/test-checks.ts'
import { declaredChecks } from './declared-checks.ts'

testChecks(await declaredChecks())
