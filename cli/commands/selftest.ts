/** `selftest`: shows that the suite finds what it should find, and nothing else. */
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { conductSelftest } from '../../selftest/conduct-selftest.ts'
import { matrixMarkdown, matrixText, parts } from '../../selftest/matrix.ts'
import type { TrialPlan } from '../../selftest/parts/part.ts'
import { anyWholeNumber, collected, type Declaring, wholeNumber } from '../arguments/option-values.ts'
import { unwritable, usageError } from '../command-error.ts'
import { type CommandContext, listenForInterrupt, say } from '../process/command-context.ts'

const help = `
Runs the suite on embedded portals with a fault each (faults), on portals that keep the contract in other ways, alone and
in combinations (variants), and on hostile and broken targets (hostile); says how often a fault is found that shows in
one of N requests (power), whether portals with few fixtures are without findings (pools), and how runs with
administrator logins only end (administration). These parts run only if you name them: faults that show in one situation
only (situations), portals on which one operation fails now and then (ill), and whole runs with many seeds on two portals
that keep the contract (seeds). Prints a matrix and writes it to DIR.

Exit codes: 0 everything found and blamed exactly, no false alarm; 1 otherwise.`

export function declare({ command, does }: Declaring): void {
  command(help)
    .addOption(
      new Option(
        '--part <PART...>',
        'only this part; repeatable (default: all but situations, ill and seeds)',
      ).choices(parts.map(({ name }) => name)),
    )
    .option('--id <GLOB>', 'only the faults, variants or targets with this id; repeatable', collected)
    .option('--seed <N>', 'the same seed makes the same requests', anyWholeNumber, 1)
    .option('--runs <N>', 'cases of each generated check; 0: as with --quick', wholeNumber(0), 30)
    .option(
      '--together',
      'test faults that do not interact in one run, and variants in combinations; alone only if that does not show each of them, and nothing else',
      false,
    )
    .option('--combinations <N>', 'random combinations of three variants', wholeNumber(0), 40)
    .option(
      '--products <N>',
      'of the faults that apply one rule to many places, every N-th',
      wholeNumber(1),
      1,
    )
    .option('--tries <N>', 'how often power is measured at each rate', wholeNumber(1), 5)
    .option('--situations <N>', 'faults with a situation each, drawn at random', wholeNumber(1), 100)
    .option('--seeds <N>', 'how many seeds the part seeds tries', wholeNumber(1), 20)
    .option('--jobs <N>', 'portals tested at once (default: twice the number of cores)', wholeNumber(1, 64))
    .option('--out <DIR>', 'where selftest.json and selftest.md go', 'portal-conformance-selftest')
    .action(does(selftest))
}

interface SelftestOptions extends Omit<TrialPlan, 'signal'> {
  readonly part?: readonly string[]
  readonly id?: readonly string[]
  readonly jobs?: number
  readonly out: string
}

/** Exit code 0 where everything was as it should be, else 1. */
async function selftest(options: SelftestOptions, commandContext: CommandContext): Promise<ExitCode> {
  // A run waits half of its time, as for syncs.
  const { part, id = [], out, jobs = 2 * availableParallelism(), ...amounts } = options
  const byDefault = parts.filter(({ onRequest }) => onRequest !== true).map(({ name }) => name)
  const { stdout, stderr } = commandContext
  await mkdir(out, { recursive: true }).catch((error) => {
    throw unwritable(`--out ${out}`, error)
  })
  const interrupt = listenForInterrupt(commandContext, () => say(stderr, 'Interrupted.'))
  const onDone = (name: string, problems: readonly string[], done: number, all: number) =>
    say(stderr, [`[${done}/${all}] ${name}`, ...problems.map((problem) => `    ${problem}`)].join('\n'))
  try {
    const matrix = await conductSelftest({
      ...amounts,
      only: part ?? byDefault,
      ids: id,
      jobs,
      signal: interrupt.signal,
      onDone,
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
