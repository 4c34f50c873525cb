/** Loaded before each test file: removes the user folders after its tests. */
import { afterAll } from 'vitest'
import { removeUserFolders } from './command.fixture.ts'

// Not after each test: with concurrent tests, a folder could belong to any of them.
afterAll(removeUserFolders)
