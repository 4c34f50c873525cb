/** Fixtures that must differ from each other: providers may hand out one and the same again and again, or a few in turn. */
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { NotTested } from './findings.ts'

/** So many more are asked for where one came that was there before. */
const drawnAgain = 4

interface Distinct<Fixture> {
  readonly kind: FixtureKind
  readonly obtain: () => Promise<Fixture>
  /** What tells one from another. */
  readonly idOf: (fixture: Fixture) => string
  /** Ids that will not do either. */
  readonly not?: readonly string[]
  /** Those that the run was handed before, where what one check uses serves another as well. */
  readonly before?: () => readonly Fixture[]
}

/** So many fixtures, no two of one id. Rejects with `NotTested` where the provider keeps handing out the same. */
export async function distinct<Fixture>(
  count: number,
  { kind, obtain, idOf, not = [], before = () => [] }: Distinct<Fixture>,
): Promise<Fixture[]> {
  const fixtures: Fixture[] = []
  const ids = new Set(not)
  const take = (fixture: Fixture): boolean => {
    const isNew = !ids.has(idOf(fixture))
    if (isNew) fixtures.push(fixture)
    ids.add(idOf(fixture))
    return isNew
  }
  for (let again = 0; fixtures.length < count; ) {
    if (take(await obtain())) continue
    again += 1
    if (again <= drawnAgain) continue
    // Checks that ask a few in turn, in step, are each handed the same one again and again.
    for (const fixture of before()) if (fixtures.length < count) take(fixture)
    if (fixtures.length < count)
      throw new NotTested(tooAlike(kind, count, fixtures.length), [`fixtures.${kind}`])
  }
  return fixtures
}

function tooAlike(kind: FixtureKind, wanted: number, had: number): string {
  const what = had === 0 ? 'only what this check cannot use' : `only ${had} of them`
  return `${wanted === 1 ? 'another fixture' : `${wanted} different fixtures`} "${kind}" needed, and the provider keeps handing out ${what}: offer more`
}
