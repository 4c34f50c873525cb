/** `selftest`: shows that the suite finds what it should find, and nothing else. */
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { matrixMarkdown, matrixText, parts } from '../../selftest/matrix.ts'
import { runSelftest } from '../../selftest/run-selftest.ts'
import type { Plan, Row } from '../../selftest/trial.ts'
import { anyWholeNumber, collected, type Declaring, wholeNumber } from '../arguments/option-values.ts'
import { unwritable, usageError } from '../command-error.ts'
import { type CommandContext, listenForInterrupt, say } from '../process/command-context.ts'

const help = `
Runs the suite on embedded portals with a fault each (faults), on portals that keep the contract in other ways, alone and
in combinations (variants), on hostile and broken targets (hostile), on portals with few fixtures (pools), and with
administrator logins only (administration). Faults that show in one situation only (situations) run only if you name that
part. Prints a matrix and writes it to DIR.

Exit codes: 0 everything found and blamed exactly, no false alarm; 1 otherwise.`

export function declare({ command, does }: Declaring): void {
  command(help)
    .addOption(
      new Option('--part <PART...>', 'only this part; repeatable (default: all but situations)').choices(
        parts.map(({ name }) => name),
      ),
    )
    .option('--id <GLOB>', 'only the faults, variants or targets with this id; repeatable', collected)
    .option('--seed <N>', 'the same seed makes the same requests', anyWholeNumber, 1)
    .option('--runs <N>', 'cases of each generated check; 0: as with --quick', wholeNumber(0), 30)
    .option(
      '--together',
      'test faults that do not interact in one run, and alone only if that run does not show each of them and nothing else; and variants that excuse nothing in combinations only',
      false,
    )
    .option('--combinations <N>', 'random combinations of three variants', wholeNumber(0), 40)
    .option(
      '--products <N>',
      'of the faults that apply one rule to many places, every N-th',
      wholeNumber(1),
      1,
    )
    .option('--situations <N>', 'faults with a situation each, drawn at random', wholeNumber(1), 100)
    .option('--jobs <N>', 'portals tested at once (default: three for each core)', wholeNumber(1, 64))
    .option('--out <DIR>', 'where selftest.json and selftest.md go', 'portal-conformance-selftest')
    .action(does(selftest))
}

interface SelftestOptions extends Plan {
  readonly part?: readonly string[]
  readonly id?: readonly string[]
  readonly jobs?: number
  readonly out: string
}

/** Exit code 0 where everything was as it should be, else 1. */
async function selftest(options: SelftestOptions, commandContext: CommandContext): Promise<ExitCode> {
  // A run waits half of its time, as for syncs.
  const { part, id = [], out, jobs = 3 * availableParallelism(), ...amounts } = options
  const byDefault = parts.filter(({ measures }) => measures !== true).map(({ name }) => name)
  const { stdout, stderr } = commandContext
  await mkdir(out, { recursive: true }).catch((error) => {
    throw unwritable(`--out ${out}`, error)
  })
  const interrupt = listenForInterrupt(commandContext, () => say(stderr, 'Interrupted.'))
  const onRow = ({ name, problems }: Row, done: number, all: number) =>
    say(stderr, [`[${done}/${all}] ${name}`, ...problems.map((problem) => `    ${problem}`)].join('\n'))
  try {
    const matrix = await runSelftest({
      ...amounts,
      only: part ?? byDefault,
      ids: id,
      jobs,
      signal: interrupt.signal,
      onRow,
    })
    if (matrix.run.tried === 0)
      throw usageError(`--id: nothing is called ${id.join(' or ')}; selftest.md names all that there is`)
    await writeFile(join(out, 'selftest.json'), `${JSON.stringify(matrix, null, 2)}\n`)
    await writeFile(join(out, 'selftest.md'), matrixMarkdown(matrix))
    say(stdout, matrixText(matrix))
    return matrix.ok ? exitCodes.conformant : exitCodes.nonConformant
  } catch (error) {
    if (interrupt.signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    interrupt.dispose()
  }
}
