import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startPortal } from '../../reference/portal.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'
import { seedDependentFaults } from './seed-dependent.fixture.ts'
import { emptyFolder } from './waiver-file.fixture.ts'

/** How many defects, and with how many seeds each: `SEEDS=50 FAULTS=20` measures more than the usual. */
const most = Number(process.env.FAULTS ?? 4)
const seeds = Number(process.env.SEEDS ?? 3)
const sample = seedDependentFaults.filter((_, at) => at % Math.floor(seedDependentFaults.length / most) === 0)

test.each(sample)(
  '$id: a waiver holds with every seed, and is needless with every seed once the defect is mended',
  async ({ operation, alter }) => {
    const folder = emptyFolder()
    let isThere = true
    const portal = await startPortal({ alter: alter(() => isThere) })
    const config = join(folder, 'portal.json')
    writeFileSync(config, JSON.stringify(portal.configuration))
    const waivers = join(folder, 'waivers.yaml')
    const run = async (seed: number, ...more: string[]) => {
      const observed = observedContext()
      const words = ['--config', config, '--operation', operation, '--seed', `${seed}`, '--runs', '4']
      const code = await runProgram(
        [
          'run',
          ...words,
          '--out',
          join(folder, 'out'),
          '--allow-incomplete',
          '--allow-inconclusive',
          ...more,
        ],
        observed,
      )
      return `${code}${code === 2 ? observed.complained().match(/passes now.*$/m) : ''}`
    }
    try {
      let first = 1
      while ((await run(first)) !== '1' && first < 60) first += 1
      const fields = ['--owner', 'portal team', '--reason', 'known', '--expires', '2999-12-31']
      await runProgram(['report', join(folder, 'out'), '--waivers', waivers, ...fields], observedContext())
      // Another encoding of the same form is judged apart from its content.
      expect(parse(readFileSync(waivers, 'utf8')).waivers.length).toBeLessThanOrEqual(2)
      const further = Array.from({ length: seeds }, (_, at) => first + 1 + at)
      const ends = async () => {
        const codes: string[] = []
        for (const seed of further) codes.push(await run(seed, '--waivers', waivers))
        return [...new Set(codes)]
      }
      expect(await ends()).toEqual(['0'])
      isThere = false
      expect(await ends()).toEqual([expect.stringMatching(/^2passes now on .*also in the recorded cases/)])
    } finally {
      await portal.close()
    }
  },
  600_000,
)
