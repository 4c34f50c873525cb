import { expect, test } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { repeatCommand } from './repeat-command.ts'

const configuration = { run: { seed: 42, runs: 25 } } as Configuration

test('repeatCommand names target, seed and number of cases', () => {
  expect(repeatCommand({ config: 'staging.yaml' }, configuration)).toBe(
    'portal-conformance run --config staging.yaml --seed 42 --runs 25',
  )
  expect(
    repeatCommand({ reference: true, fault: ['a', 'b'], variant: ['c'], latency: 20 }, configuration),
  ).toBe(
    'portal-conformance run --reference --fault a --fault b --variant c --latency 20 --seed 42 --runs 25',
  )
})

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
