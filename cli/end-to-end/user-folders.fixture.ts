/** Loaded before each test file: removes the user folders after its tests. */
import { afterAll } from 'vitest'
import { removeUserFolders } from './command.fixture.ts'

// Not after each test: folders of concurrent tests cannot be told apart.
afterAll(removeUserFolders)
