import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{specs,schemas,target,suites,reporters,reference,cli}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
