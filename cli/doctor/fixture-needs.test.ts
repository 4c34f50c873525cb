import { describe, expect, it } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { planOf } from '../../reporters/results.fixture.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { fixtureNeeds, needLines, untestedFor } from './fixture-needs.ts'

const all = (await declaredChecks()).map(({ id, operations, fixtures }) => ({
  ...planOf(id),
  operations,
  fixtures,
}))

const configurationWith = (runs: number, lists?: Record<string, object[]>): Configuration =>
  ({
    run: { runs },
    actors: { itemOwner: { username: 'alice' } },
    ...(lists === undefined ? {} : { fixtures: { static: lists } }),
  }) as unknown as Configuration

const neededWith = (runs: number): Record<string, number> =>
  Object.fromEntries(fixtureNeeds(all, configurationWith(runs)).map(({ kind, needed }) => [kind, needed]))

const many = (count: number, entry: (at: number) => object): object[] =>
  Array.from({ length: count }, (_, at) => entry(at))

describe('fixtureNeeds', () => {
  it.each([
    [1, 1],
    [25, 3],
  ])('needs no more fixtures than a run with --runs %i can use', (runs, times) => {
    const needed = neededWith(runs)
    expect(needed.collaboration).toBeLessThanOrEqual(28 * times)
    expect(needed.workspace).toBeLessThanOrEqual(14 * times)
    expect(needed.taskRun).toBeLessThanOrEqual(24 * times)
    const items = (needed['items of itemOwner'] ?? 0) + (needed['items of itemOwnerUnprivileged'] ?? 0)
    expect(items).toBeLessThanOrEqual(410 * times)
  })

  it('counts the offered fixtures, and names the checks that lack fixtures', () => {
    const lists = {
      collaboration: many(2, (at) => ({ collaborationId: `c${at}` })),
      taskRun: [],
      items: [
        { owner: 'alice', itemIds: ['1', '2'] },
        { actor: 'itemOwner', owner: 'x', itemIds: ['3'] },
      ],
    }
    const needs = fixtureNeeds(all, configurationWith(1, lists))
    const of = (kind: string) => needs.find((need) => need.kind === kind)
    expect(of('items of itemOwner')?.offered).toBe(3)
    expect(of('taskRun')).toMatchObject({ offered: 0 })
    expect(of('taskRun')?.untested).toContain('update-task-run/result-empty')
    expect(of('collaboration')?.untested).not.toContain('add-workspace/name-kept')
    expect(of('collaboration')?.untested.length).toBeGreaterThan(5)
    expect(untestedFor(needs).size).toBeGreaterThan(10)
    expect(needLines(needs).join('\n')).toMatch(
      /collaboration: about \d+ needed, 2 offered; left untested: about/,
    )
  })

  it('names no check if there are enough fixtures', () => {
    const needs = fixtureNeeds(
      all.filter(({ requirement }) => requirement.startsWith('update-task-run/')),
      configurationWith(1, { taskRun: many(20, (at) => ({ runId: `r${at}` })) }),
    )
    expect(untestedFor(needs).size).toBe(0)
  })

  it('describes a provider in one line', () => {
    expect(needLines(fixtureNeeds(all, configurationWith(1)))).toHaveLength(1)
  })
})
