import { describe, expect, it } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { planOf } from '../../reporters/results.fixture.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { fixtureNeeds, isShort, needLines } from './fixture-needs.ts'

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

  it('counts the offered fixtures, and says if there are too few', () => {
    const lists = {
      collaboration: many(2, (at) => ({ collaborationId: `c${at}` })),
      taskRun: many(200, (at) => ({ runId: `r${at}` })),
      items: [
        { owner: 'alice', itemIds: ['1', '2'] },
        { actor: 'itemOwner', owner: 'x', itemIds: ['3'] },
      ],
    }
    const needs = fixtureNeeds(all, configurationWith(1, lists))
    const of = (kind: string) => needs.find((need) => need.kind === kind)
    expect(of('items of itemOwner')?.offered).toBe(3)
    expect(needs.filter((need) => !isShort(need)).map(({ kind }) => kind)).toEqual(['taskRun'])
    expect(needLines(needs).join('\n')).toMatch(
      /collaboration: about \d+ needed, 2 offered; some checks are left untested/,
    )
  })

  it('describes a provider in one line', () => {
    expect(needLines(fixtureNeeds(all, configurationWith(1)))).toHaveLength(1)
  })
})
