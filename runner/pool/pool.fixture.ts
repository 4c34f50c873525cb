/** Pools whose provider is a table, for tests. */
import { type FixtureKind, FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { Loan, type LoanTerms } from './loan.ts'
import { Pool } from './pool.ts'

type Makes = Partial<Record<FixtureKind, (count: number, options: object) => object | undefined>>

/** A pool. `makes`: the nth fixture of each kind; undefined if the provider has no more. */
export function poolOf(makes: Makes, limits: Partial<Pool['limits']> = {}) {
  const counts = new Map<FixtureKind, number>()
  const obtain = async (kind: FixtureKind, options: object) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const made = makes[kind]?.(count, options)
    if (made === undefined) throw new FixtureNotOffered(kind, 'all are used up')
    return made
  }
  const pool = new Pool({
    provider: { obtain } as never,
    limits: { collaborations: 99, workspaces: 9, workspacesOfLength: 9, others: 1, ...limits },
    runId: 'run',
    onFixture: () => undefined,
    longestSyncOf: () => 1,
  })
  const loan = (terms: Partial<LoanTerms> = {}): Loan =>
    new Loan(pool, {
      alone: false,
      usesUp: [],
      settleMs: () => 0,
      mayWait: () => true,
      ...terms,
    })
  return { pool, loan, asked: (kind: FixtureKind) => counts.get(kind) ?? 0 }
}

/** Makes at most this many. */
export const few =
  (most: number, make: (count: number) => object) =>
  (count: number): object | undefined =>
    count <= most ? make(count) : undefined
