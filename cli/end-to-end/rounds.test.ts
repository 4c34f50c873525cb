/** A run that repeats with new seeds until the time is over or a check fails. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Results } from '../../reporters/results.ts'
import { UserFolder } from './command.fixture.ts'

const few = 'run --reference --requirement update-participant/identifiers --runs 1 --seed 7'

const exchangesOf = (requirements: Results['requirements']) =>
  requirements.reduce((sum, { looks }) => sum + (looks?.exchanges ?? 0), 0)

describe('run --for', () => {
  it('judges several rounds, and reports the rate of faults that it would have found', async () => {
    const folder = new UserFolder()
    const { code, stdout } = await folder.run(`${few} --for 2s --allow-incomplete`)
    const { run, requirements, complete } = folder.results()
    const rounds = run.rounds!
    expect(code).toBe(0)
    expect(complete).toBe(true)
    expect(rounds.count).toBeGreaterThan(1)
    expect(rounds.lastSeed).toBe(7 + rounds.count - 1)
    expect(rounds.requests).toBeGreaterThan(run.requests)
    // The size is bounded: each check is listed once, whatever the number of rounds.
    const journal = readFileSync(join(folder.path, 'portal-conformance-report', 'journal.ndjson'), 'utf8')
    expect(journal.match(/"entry":"run"/g)).toHaveLength(1)
    expect(journal.length).toBeLessThan(10_000)
    const ids = requirements.flatMap(({ checks }) => checks.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    const exchanges = exchangesOf(requirements)
    const single = new UserFolder()
    await single.run(`${few} --allow-incomplete`)
    expect(exchanges).toBeGreaterThan(exchangesOf(single.results().requirements) * (rounds.count - 0.5))
    expect(stdout.replace(/\s+/g, ' ')).toContain(`${rounds.requests} requests, ${exchanges} judged answers.`)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `A fault that shows in 1 of ${Math.floor(rounds.requests / 3)} requests would have been found with 95 % probability.`,
    )
  })

  it('ends at the first finding, and names its seed', async () => {
    const folder = new UserFolder()
    const { code, stdout } = await folder.run(`${few} --fault participant-portal-is-host --for 1h`)
    expect(code).toBe(1)
    expect(folder.results().run.rounds?.count).toBe(1)
    expect(stdout).toContain('--seed 7')
  })
})
