/** The whole contract: a test for each check, and one for the verdict. */
import { testConformance } from 'portal-conformance/vitest'
import { afterAll } from 'vitest'
import { openDeployment } from './portal.ts'

const { configuration, close } = await openDeployment()
afterAll(close)

testConformance({ configuration, seed: 7, runs: 8 })
