import { expect, test } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { wholeResults } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { repeatCommand, repeatRunCommand } from './repeat-command.ts'

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

test('repeatRunCommand names target, seed, number of cases and selection', () => {
  const { run } = wholeResults()
  const repeated = (others: Partial<Results['run']>) =>
    repeatRunCommand(wholeResults([], { run: { ...run, ...others } }))
  expect(repeated({})).toBe('portal-conformance run --config FILE --seed 42 --runs 25')
  expect(
    repeated({
      options: { reference: true, fault: ['run-ids-swapped'] },
      selection: { operations: ['add-workspace'], requirements: ['add-workspace/*'] },
    }),
  ).toBe(
    "portal-conformance run --reference --fault run-ids-swapped --seed 42 --runs 25 --operation add-workspace --requirement 'add-workspace/*'",
  )
})
