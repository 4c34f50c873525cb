import { expect, test } from 'vitest'
import { faults } from '../reference/faults/index.ts'
import { judgePortal } from '../selftest/judge-portal.ts'
import { requirementsFor } from '../specs/requirements.ts'
import { assembleResults } from './build-results.ts'
import { findingsByCause } from './cards.ts'
import { resultsOf } from './results.fixture.ts'

/** Judges every N-th fault in a quick run. `EVERY=1` judges the whole catalogue, which takes ten minutes. */
const every = Number(process.env.EVERY ?? 50)
/** The first three faults of the catalogue take four times as long as others. */
const sample = faults.filter((_, at) => at % every === Math.min(3, every - 1))

/** The number of cards for a portal with this fault, and the requirement at the head of the first card. */
async function cardsOf(fault: string) {
  const { checks } = await judgePortal({ faults: [fault], seed: 1, runs: 0 })
  const results = assembleResults({
    ...resultsOf([]),
    requirements: requirementsFor('none'),
    checks,
    roles: [],
    errors: [],
    complete: true,
  })
  const cards = findingsByCause(results)
  return { count: cards.length, head: cards[0]?.findings[0].requirement.id }
}

test('nine of ten faults make at most two cards, the first headed by a broken requirement', async () => {
  const left = [...sample]
  const found: { id: string; count: number; head: string; breaks: readonly string[] }[] = []
  const worker = async (): Promise<void> => {
    for (let fault = left.pop(); fault !== undefined; fault = left.pop()) {
      const { id, breaks } = fault
      const { count, head } = await cardsOf(id)
      // A quick run does not detect every fault.
      if (head !== undefined) found.push({ id, count, head, breaks })
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  expect(found.length).toBeGreaterThan(sample.length / 2)
  const many = found.filter(({ count }) => count > 2)
  const misnamed = found.filter(({ head, breaks }) => !breaks.some((id) => id === head))
  expect(many.length, JSON.stringify(many)).toBeLessThanOrEqual(found.length / 10)
  expect(misnamed.length, JSON.stringify(misnamed)).toBeLessThanOrEqual(found.length / 10)
}, 600_000)
