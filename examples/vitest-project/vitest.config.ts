/** Two projects: fast tests of single answers, and the whole contract with a test for each check. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'answers', include: ['answers/*.test.ts'], setupFiles: ['answers/matchers.ts'] } },
      { test: { name: 'conformance', include: ['conformance/*.test.ts'] } },
    ],
  },
})
