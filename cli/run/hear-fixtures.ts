/** Passes on what a fixture program says on stderr, for commands without a view of progress. */

import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { safeText } from '../../reporters/safe-text.ts'
import type { Surroundings } from '../process/surroundings.ts'

/** How a line of a fixture program is told. */
export const saidByFixtures = (line: string): string => `fixtures.command says: ${line}`

/** Every line becomes a warning without secrets and control characters. */
export function hearFixtures(
  fixtures: OpenFixtures,
  configuration: Configuration,
  { stderr }: Pick<Surroundings, 'stderr'>,
): void {
  const { text } = createRedactor(configuration)
  fixtures.hear((line) => stderr.write(`Warning: ${safeText(text(saidByFixtures(line)))}\n`))
}
