import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{specs,schemas,target,suites,reporters,reference,cli}/**/*.test.ts'],
    // Tests that judge whole portals depend on time: more of them at once would only wait for each other.
    maxConcurrency: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
