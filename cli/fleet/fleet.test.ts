import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
import { observedSurroundings } from '../process/surroundings.fixture.ts'
import { runProgram } from '../program.ts'
import { fleetTargets } from './fleet-targets.ts'

const folder = mkdtempSync(join(tmpdir(), 'pc-fleet-'))
const portals: EmbeddedPortal[] = []

function write(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

async function fleet(...words: string[]) {
  const surroundings = observedSurroundings()
  const code = await runProgram(['fleet', ...words], surroundings)
  return { code, out: surroundings.printed(), err: surroundings.complained() }
}

beforeAll(async () => {
  portals.push(await startPortal(), await startPortal({ faults: ['guests-add-workspaces'] }))
  mkdirSync(join(folder, 'deployments'))
  write('deployments/good.json', portals[0]?.configuration)
  write('deployments/spoilt.json', portals[1]?.configuration)
})

afterAll(async () => {
  await Promise.all(portals.map((portal) => portal.close()))
  rmSync(folder, { recursive: true })
})

describe('a fleet', () => {
  it('judges every configuration of a folder and compares them', async () => {
    const out = join(folder, 'reports')
    const {
      code,
      out: printed,
      err,
    } = await fleet(join(folder, 'deployments'), '--out', out, '--runs', '2', '--seed', '4')
    expect(err).toContain('good: conformant (exit 0), reports in ')
    expect(err).toContain('spoilt: non-conformant (exit 1), reports in ')
    expect(printed).toContain('add-workspace/refuses-guest')
    expect(code).toBe(1)
    for (const file of ['good/report.html', 'spoilt/junit.xml', 'matrix.html', 'matrix.md']) {
      expect(existsSync(join(out, file))).toBe(true)
    }
    const { run } = JSON.parse(readFileSync(join(out, 'good', 'results.json'), 'utf8'))
    expect([run.seed, run.runs]).toEqual([4, 2])
  })

  it('goes on where a target cannot be reached, and tells why', async () => {
    const dead = { ...portals[0]?.configuration, target: { baseUrl: 'http://127.0.0.1:1' } }
    const { code, err } = await fleet(write('dead.json', dead), '--out', join(folder, 'dead'), '--runs', '1')
    expect(code).toBe(4)
    expect(err).toMatch(/dead: not reached, or the suite broke \(exit 4\)[\s\S]*cannot be reached/)
  })

  it('lists its targets for the matrix of a CI', async () => {
    const several = write('several.json', { targets: { north: {}, south: {} } })
    const { code, out } = await fleet(several, join(folder, 'deployments'), '--list')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([
      { name: 'north', config: several, target: 'north' },
      { name: 'south', config: several, target: 'south' },
      { name: 'good', config: join(folder, 'deployments', 'good.json') },
      { name: 'spoilt', config: join(folder, 'deployments', 'spoilt.json') },
    ])
  })

  it.each([
    [() => [join(folder, 'nowhere')], /nowhere: cannot be read: there is no such file or folder/],
    [
      () => [join(folder, 'deployments'), join(folder, 'deployments', 'good.json')],
      /two targets are called good: .*good\.json, .*good\.json; rename one/,
    ],
  ])('refuses what is no fleet (%#)', async (paths, message) => {
    await expect(fleetTargets(paths())).rejects.toThrow(message)
  })
})
