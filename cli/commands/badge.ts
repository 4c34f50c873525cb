/** `badge`: makes a badge of earlier results. */
import { writeDocument } from '../../reporters/document.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { badgeEndpoint, badgeOf, badgeSvg } from '../../reporters/statement/statement.ts'
import type { Declaring } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { resultsOf } from '../results/results-files.ts'

const help = `
The badge says conformant, non-conformant or incomplete; plain "conformant" only of a whole run without waivers. The
exit code says whether the badge could be made, not what the verdict is.

Example:
  portal-conformance badge portal-conformance-report/results.json --svg badge.svg --json badge.json
`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<RESULTS>', 'results.json of a run')
    .option('--svg <FILE>', 'the badge as a picture')
    .option('--json <FILE>', 'the badge for the endpoint badge of shields.io')
    .action(does(badge))
}

/** Throws a CommandError where nothing is asked for, or a file cannot be read or written. */
async function badge(
  file: string,
  { svg, json }: { svg?: string; json?: string },
  { stdout }: Surroundings,
): Promise<ExitCode> {
  if (svg === undefined && json === undefined) {
    throw usageError('no badge is asked for: say where it goes with --svg FILE, --json FILE or both')
  }
  const results = await resultsOf(file)
  const made = badgeOf(results)
  const write = async (to: string, text: string) => {
    await writeDocument(to, [text])
    stdout.write(`${to}\n`)
  }
  if (svg !== undefined) await write(svg, badgeSvg(made))
  if (json !== undefined) await write(json, badgeEndpoint(made))
  return exitCodes.conformant
}
