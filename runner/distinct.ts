/** Fixtures that must differ from each other: providers may hand out one and the same again and again, or a few in turn. */
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { NotTested } from './findings.ts'

/** So many more are asked for where one came that was there before. */
const drawnAgain = 4

export interface Distinct<Fixture> {
  readonly kind: FixtureKind
  readonly obtain: () => Promise<Fixture>
  /** What tells one from another. */
  readonly idOf: (fixture: Fixture) => string
  /** Ids that will not do either. */
  readonly not?: readonly string[]
}

/** So many fixtures, no two of one id. Rejects with `NotTested` where the provider keeps handing out the same. */
export async function distinct<Fixture>(
  count: number,
  { kind, obtain, idOf, not = [] }: Distinct<Fixture>,
): Promise<Fixture[]> {
  const fixtures: Fixture[] = []
  const ids = new Set(not)
  for (let again = 0; fixtures.length < count; ) {
    const fixture = await obtain()
    const id = idOf(fixture)
    if (!ids.has(id)) fixtures.push(fixture)
    else if (again >= drawnAgain)
      throw new NotTested(tooAlike(kind, count, fixtures.length), [`fixtures.${kind}`])
    else again += 1
    ids.add(id)
  }
  return fixtures
}

function tooAlike(kind: FixtureKind, wanted: number, had: number): string {
  const what = had === 0 ? 'only what this check cannot use' : `only ${had} of them`
  return `${wanted === 1 ? 'another fixture' : `${wanted} different fixtures`} "${kind}" needed, and the provider keeps handing out ${what}: offer more`
}
