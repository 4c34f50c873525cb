/** `selftest`: shows that the suite finds what it should find, and nothing else. */
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { safeLines } from '../../reporters/safe-text.ts'
import { conductSelftest } from '../../selftest/conduct-selftest.ts'
import type { Matrix } from '../../selftest/matrix.ts'
import { matrixMarkdown } from '../../selftest/matrix-markdown.ts'
import { matrixText } from '../../selftest/matrix-summary.ts'
import { type Part, parts, type TrialPlan } from '../../selftest/trials.ts'
import { usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { listenForInterrupt } from '../process/interrupt.ts'
import type { Surroundings } from '../process/surroundings.ts'

export interface SelftestOptions extends Omit<TrialPlan, 'signal'> {
  readonly part?: readonly Part[]
  /** The former name of `part`. */
  readonly only?: readonly Part[]
  readonly id?: readonly string[]
  readonly jobs?: number
  readonly out: string
}

/** Exit code 0 where everything was as it should be, else 1. */
export async function selftest(options: SelftestOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { part, only, id = [], out, jobs = availableParallelism(), ...amounts } = options
  const byDefault = parts.filter((each) => each !== 'situations' && each !== 'seeds')
  const { stdout, stderr } = surroundings
  await mkdir(out, { recursive: true }).catch((error) => {
    throw usageError(`--out ${out}: cannot be written: ${(error as Error).message}`)
  })
  const say = (text: string) => void stderr.write(`${safeLines(text).join('\n')}\n`)
  const interrupt = listenForInterrupt(surroundings, () => say('Interrupted.'))
  const onDone = (name: string, problems: readonly string[], done: number, all: number) =>
    say([`[${done}/${all}] ${name}`, ...problems.map((problem) => `    ${problem}`)].join('\n'))
  try {
    const matrix = await conductSelftest({
      ...amounts,
      only: part ?? only ?? byDefault,
      ids: id,
      jobs,
      signal: interrupt.signal,
      onDone,
    })
    if (matrix.run.tried === 0)
      throw usageError(`--id: nothing is called ${id.join(' or ')}; selftest.md names all that there is`)
    await write(out, matrix)
    stdout.write(`${safeLines(matrixText(matrix)).join('\n')}\n`)
    return matrix.ok ? exitCodes.conformant : exitCodes.nonConformant
  } catch (error) {
    if (interrupt.signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    interrupt.dispose()
  }
}

async function write(out: string, matrix: Matrix): Promise<void> {
  await writeFile(join(out, 'selftest.json'), `${JSON.stringify(matrix, null, 2)}\n`)
  await writeFile(join(out, 'selftest.md'), matrixMarkdown(matrix))
}
