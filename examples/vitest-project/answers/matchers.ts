/** Teaches `expect` to read answers as the contract does. */
import { matchers } from 'portal-conformance/matchers'
import { expect } from 'vitest'

expect.extend(matchers)
