import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operationIds } from '../specs/operations.ts'
import { requirementOf, requirements } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

const checks = await declaredChecks()

describe('the catalogue of checks', () => {
  it('has a check without optional actors for every requirement', () => {
    const proved = new Set(
      checks.filter(({ whereThere }) => whereThere.actors.length === 0).map(({ requirement }) => requirement),
    )
    expect(requirements.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([])
  })

  it('has unique check ids', () => {
    const ids = checks.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  it('has a title of its own for each requirement of an operation, except for reads of what a refusal left', () => {
    const titled = checks.filter(({ whereThere }) => whereThere.reads.length === 0)
    const shared = titled.filter((check) =>
      titled.some(
        (other) =>
          other.title === check.title &&
          other.operation === check.operation &&
          other.requirement !== check.requirement,
      ),
    )
    expect(shared.map(({ id }) => id)).toEqual([])
  })

  it('assigns each check to the operation of its requirement', () => {
    const astray = checks.filter(
      ({ requirement, operation }) =>
        !['protocol', 'lifecycle', 'profile', operation].includes(requirementOf(requirement).operation),
    )
    expect(astray).toEqual([])
  })

  it('checks each protocol requirement on each operation', () => {
    const rules = requirements.filter(({ operation }) => operation === 'protocol').length
    const ofOneOperation = checks.filter(({ id }) => operationIds.some((one) => id.endsWith(`:${one}`)))
    expect(ofOneOperation.filter(({ requirement }) => requirement.startsWith('protocol/'))).toHaveLength(
      rules * operationIds.length,
    )
  })
})

describe('manifest.json, whose ids users script against', () => {
  const manifest = JSON.parse(readFileSync(new URL('./manifest.json', import.meta.url), 'utf8')) as Record<
    string,
    string[]
  >
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')

  it('lists every requirement and check (npm run generate adds new ones)', () => {
    expect(requirements.map(({ id }) => id).sort()).toEqual(manifest.requirements)
    expect(checks.map(({ id }) => id).sort()).toEqual(manifest.checks)
  })

  it('lists removed ids under `gone`, and the changelog names each', () => {
    const gone = manifest.gone ?? []
    expect(gone.filter((id) => !changelog.includes(id))).toEqual([])
    expect(gone.filter((id) => manifest.requirements?.includes(id) || manifest.checks?.includes(id))).toEqual(
      [],
    )
  })
})
