import { expect, test } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { repeatCommand } from './repeat-command.ts'

const configuration = { run: { seed: 42, runs: 25 } } as Configuration

test('repeatCommand keeps other options that affect requests, quoted for a shell', () => {
  const options = {
    config: "it's here/x.yaml",
    baseUrl: 'https://h/a?b&c',
    effects: ['add-workspace', 'sync-workspace'],
    concurrency: 2,
  }
  expect(repeatCommand(options, configuration)).toBe(
    `portal-conformance run --config 'it'\\''s here/x.yaml' --base-url 'https://h/a?b&c' --effects add-workspace,sync-workspace --concurrency 2 --seed 42 --runs 25`,
  )
})
