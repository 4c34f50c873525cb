/** The benchmark: `npm run bench`. It measures and never judges; what is wanted is printed beside the figures. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../cli/arguments/option-values.ts'
import { type Figure, type FigureId, figureIds } from './figure.ts'
import { latency } from './latency.ts'
import type { Measuring } from './measuring.ts'
import { memory } from './memory.ts'
import { comparePeers } from './peers/peers.ts'
import { shortRun } from './short-run.ts'
import { startUp } from './start-up.ts'
import { documentOf, tableOf } from './table.ts'
import { throughput } from './throughput.ts'

const parts: Readonly<Record<FigureId, (measuring: Measuring) => Promise<Figure[]>>> = {
  a: throughput,
  b: latency,
  c: memory,
  d: startUp,
  e: shortRun,
  peers: comparePeers,
}

const known: readonly FigureId[] = [...figureIds, 'peers']

interface Options {
  readonly out: string
  readonly times: number
  readonly only: readonly FigureId[]
}

const options = new Command('bench')
  .description('Measures the suite against the embedded portal; nothing else should run beside it.')
  .option('--out <FILE>', 'where the figures go as JSON', 'portal-conformance-report/benchmark.json')
  .option('--times <N>', 'how often each figure is measured', wholeNumber(1), 5)
  .option(
    '--only <LIST>',
    'some of the figures a to e, such as a,c; or peers: other tools that are installed',
    chosen,
    [...figureIds],
  )
  .parse()
  .opts<Options>()

await mkdir(dirname(options.out), { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-benchmark-'))
try {
  const figures: Figure[] = []
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  for (const id of known) {
    if (options.only.includes(id))
      figures.push(
        ...(await parts[id]({ folder, times: options.times, note, report: dirname(resolve(options.out)) })),
      )
  }
  process.stdout.write(tableOf(figures))
  await writeFile(options.out, `${JSON.stringify(documentOf(figures, options.times), null, 2)}\n`)
  process.stdout.write(`${options.out}\n`)
} catch (error) {
  process.stderr.write(`the benchmark broke: ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}

function chosen(text: string): FigureId[] {
  const ids = text.split(',').map((part) => part.trim())
  const unknown = ids.find((id) => !known.some((each) => each === id))
  if (unknown === undefined) return ids as FigureId[]
  throw new InvalidArgumentError(`There is no figure "${unknown}". Known are ${known.join(', ')}.`)
}
