/** Warnings on stderr. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type CommandContext, say } from './command-context.ts'

/** Every message becomes a warning without the secrets of the configuration. */
export function warningsTo(
  { stderr }: Pick<CommandContext, 'stderr'>,
  configuration: Configuration,
): (message: string) => void {
  const { text } = createRedactor(configuration)
  return (message) => say(stderr, `Warning: ${text(message)}`)
}

/** What a fixture program says becomes warnings. */
export function hearFixtures(fixtures: OpenFixtures, warn: (message: string) => void): void {
  fixtures.hear((line) => warn(`fixtures.command says: ${line}`))
}
