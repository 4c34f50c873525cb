/** The checks as tests, on the deployment that PORTAL_CONFORMANCE_CONFIG names: the project `conformance` of vitest.config.ts. */
import { testConformance } from './declare-tests.ts'

testConformance({ configuration: process.env.PORTAL_CONFORMANCE_CONFIG ?? '' })
