import { describe, expect, it } from 'vitest'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import { requirementOf } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { checksHere } from './plan.ts'

const configured = (runs: number) => configurationFor('http://127.0.0.1:1/rest', { run: { runs } } as never)

const idsWith = async (runs: number) =>
  checksHere(await declaredChecks(), configured(runs)).map(({ definition }) => definition)

describe('a quick run', () => {
  it('has a check for every requirement that a whole run has checks for, and one for each operation', async () => {
    const [quick, whole] = [await idsWith(0), await idsWith(1)]
    const keys = (checks: typeof quick) =>
      new Set(checks.map(({ requirement, operation }) => `${requirement} ${operation}`))
    expect(keys(quick)).toEqual(keys(whole))
    const beyond = quick.filter(({ traits }) => !traits.includes('cheap'))
    expect(beyond.length).toBeLessThanOrEqual(keys(whole).size)
  })

  it('has the plain check of a requirement, wherever its file declares it', async () => {
    const [quick, whole] = [await idsWith(0), await idsWith(1)]
    const plain = whole.filter(({ id, requirement }) => id === requirement)
    expect(plain.length).toBeGreaterThan(80)
    expect(plain.filter(({ id }) => !quick.some((check) => check.id === id))).toEqual([])
  })

  it('leaves no requirement of the verdict to a further look, which it would not judge', async () => {
    const left = (await idsWith(0)).filter(
      ({ traits, requirement }) =>
        traits.includes('further') && requirementOf(requirement).level !== 'advice',
    )
    expect(left.map(({ id }) => id)).toEqual([])
  })
})
