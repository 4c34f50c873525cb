import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operationIds } from '../specs/operations.ts'
import { requirements } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

const checks = await declaredChecks()

describe('checks and requirements', () => {
  it('prove every requirement by one that is no look besides, and is not tested where its actors are missing', () => {
    const proved = new Set(
      checks.filter(({ whereThere }) => whereThere.actors.length === 0).map(({ requirement }) => requirement),
    )
    expect(requirements.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([])
  })

  it('have ids of their own', () => {
    const ids = checks.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  it('judge the operation that their requirement speaks of', () => {
    const astray = checks.filter(({ requirement, operation }) => {
      const subject = requirement.split('/')[0]
      return !['protocol', 'lifecycle', 'profile', operation].includes(subject)
    })
    expect(astray).toEqual([])
  })

  it('judge each protocol rule on each operation', () => {
    const rules = requirements.filter(({ operation }) => operation === 'protocol').length
    const ofOneOperation = checks.filter(({ id }) => operationIds.some((one) => id.endsWith(`:${one}`)))
    expect(ofOneOperation.filter(({ requirement }) => requirement.startsWith('protocol/'))).toHaveLength(
      rules * operationIds.length,
    )
  })
})

describe('the manifest of ids, which others script against', () => {
  const manifest = JSON.parse(readFileSync(new URL('./manifest.json', import.meta.url), 'utf8')) as Record<
    string,
    string[]
  >
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')

  it('names every requirement and every check: npm run generate adds them', () => {
    expect(requirements.map(({ id }) => id).sort()).toEqual(manifest.requirements)
    expect(checks.map(({ id }) => id).sort()).toEqual(manifest.checks)
  })

  it('keeps what is gone under `gone`, and the changelog says so', () => {
    const gone = manifest.gone ?? []
    expect(gone.filter((id) => !changelog.includes(id))).toEqual([])
    expect(gone.filter((id) => manifest.requirements?.includes(id) || manifest.checks?.includes(id))).toEqual(
      [],
    )
  })
})
