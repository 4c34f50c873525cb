/** The command line of `badge`. */
import type { Declaring } from '../arguments/declaring.ts'

const help = `
The badge says conformant, non-conformant or incomplete; plain "conformant" only of a whole run without waivers. The
exit code says whether the badge could be made, not what the verdict is.

Example:
  portal-conformance badge portal-conformance-report/results.json --svg badge.svg --json badge.json
`

export function declareBadge({ command, does, surroundings }: Declaring): void {
  command('badge', 'make a badge of earlier results', help)
    .argument('<RESULTS>', 'results.json of a run')
    .option('--svg <FILE>', 'the badge as a picture')
    .option('--json <FILE>', 'the badge for the endpoint badge of shields.io')
    .action(
      does(async (file: string, options) => {
        const { badge } = await import('../commands/badge.ts')
        return badge(file, options, surroundings)
      }),
    )
}
