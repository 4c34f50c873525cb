/** The benchmark: `npm run bench`. It measures and never judges; what is wanted is printed beside the figures. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../cli/arguments/option-values.ts'
import { documentOf, type Figure, type FigureId, figureIds, type Measuring, tableOf } from './figures.ts'
import { latency, memory, shortRun, startUp } from './runs.ts'
import { throughput } from './throughput.ts'

const parts: Readonly<Record<FigureId, (measuring: Measuring) => Promise<Figure[]>>> = {
  a: throughput,
  b: latency,
  c: memory,
  d: startUp,
  e: shortRun,
}

interface Options {
  readonly out: string
  readonly times: number
  readonly only: readonly FigureId[]
}

const options = new Command('bench')
  .description('Measures the suite against the embedded portal; nothing else should run beside it.')
  .option('--out <FILE>', 'where the figures go as JSON', 'portal-conformance-report/benchmark.json')
  .option('--times <N>', 'how often each figure is measured', wholeNumber(1), 5)
  .option('--only <LIST>', 'some of the figures a to e, such as a,c', chosen, [...figureIds])
  .parse()
  .opts<Options>()

await mkdir(dirname(options.out), { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-benchmark-'))
try {
  const figures: Figure[] = []
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  for (const id of figureIds) {
    if (options.only.includes(id)) figures.push(...(await parts[id]({ folder, times: options.times, note })))
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
  const unknown = ids.find((id) => !figureIds.some((each) => each === id))
  if (unknown === undefined) return ids as FigureId[]
  throw new InvalidArgumentError(`There is no figure "${unknown}". Known are ${figureIds.join(', ')}.`)
}
