/** (e) The shortest whole run, as somebody who tries the program sees it. */
import type { Figure } from './figure.ts'
import { type Measuring, repeated } from './measuring.ts'
import { measureRun } from './run-process.ts'

/** `run --reference --runs 1`, from the start of the process to its end. */
export async function shortRun(measuring: Measuring): Promise<Figure[]> {
  const measured = await repeated(measuring, '(e) short run', () =>
    measureRun(measuring.folder, ['--reference', '--seed', '1', '--runs', '1']),
  )
  return [
    {
      id: 'e',
      name: 'run --reference --runs 1, start to end of the process',
      unit: 'ms',
      values: measured.map(({ wallMs }) => wallMs),
      wanted: '<= 3000',
    },
  ]
}
