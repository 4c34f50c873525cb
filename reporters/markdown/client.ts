/** Recorded traffic in the summary: what was found about clients, which no requirement speaks of. */
import type { Results } from '../results.ts'
import { code, prose } from './escaping.ts'
import type { Section } from './section.ts'

/** Empty where the results are of a run. */
export function clients({ run: { traffic } }: Results): Section {
  const blocks = (traffic?.client ?? []).map(({ id, level, operation, message, actual, count }) => ({
    text: `- ${level}: ${code(id)}, ${code(operation)}, in ${count} of the exchanges: ${prose(message)} (${prose(actual)})\n`,
    count: 1,
  }))
  return {
    title: 'Client: requests that no conforming server needs to accept',
    kind: 'findings about clients',
    blocks,
  }
}
