/** Set up before each file of tests: at its end the folders go in which users worked. */
import { afterAll } from 'vitest'
import { removeUserFolders } from './command.fixture.ts'

// A test that runs beside others cannot be decided from them by then.
afterAll(removeUserFolders)
