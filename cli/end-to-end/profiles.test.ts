import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgePortal } from '../../selftest/judge-portal.ts'
import type { Alteration } from '../../selftest/trial.ts'
import { folderOfFile } from '../process/test-folder.fixture.ts'

const folder = folderOfFile()

function profileFile(name: string, more: object): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, JSON.stringify({ format: 'portal-conformance/profile', name, title: name, ...more }))
  return file
}

const contract = {
  federation: { signUpModes: ['Automatic'], userTypes: ['platformonly'] },
  sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
}

const closing = (point: string, effect = 'closes') =>
  profileFile(`${point}-${effect}`, { contract, points: [{ point, effect, says: 'x', source: 'x' }] })

const codes = (cause: string, code: number) =>
  profileFile(`codes-${code}`, { errors: { [cause]: { codes: [code], source: 'x' } } })

/** Outcomes of the profile's rules, each once. */
async function outcomesOf(altered: Partial<Alteration>, requirement: string) {
  const { checks } = await judgePortal({ seed: 3, runs: 8, requirements: [requirement], ...altered })
  const judged = checks.filter((check) => check.requirement === requirement)
  return [...new Set(judged.map(({ outcome }) => outcome))].sort()
}

describe('a rule of a profile', () => {
  it('profile/own-syncs-one-at-a-time passes, fails, or is not applicable if the profile leaves it open', async () => {
    const id = 'profile/own-syncs-one-at-a-time'
    const profile = closing('own-syncs')
    expect(await outcomesOf({ profile }, id)).toEqual(['passed'])
    expect(await outcomesOf({ profile, faults: ['syncs-overlap'] }, id)).toEqual(['failed'])
    expect(await outcomesOf({ profile: closing('run-statuses') }, id)).toEqual(['not-applicable'])
  })

  it.each([
    ['profile/no-credential-code', 'noCredential', 499],
    ['profile/invalid-credential-code', 'invalidCredential', 498],
    ['profile/not-permitted-code', 'notPermitted', 403],
  ])('%s passes, fails, or is not applicable if the profile has no codes', async (id, cause, code) => {
    expect(await outcomesOf({ profile: codes(cause, code) }, id)).toEqual(['passed'])
    expect(await outcomesOf({ profile: codes(cause, 7) }, id)).toEqual(['failed'])
    expect(await outcomesOf({ profile: closing('run-statuses') }, id)).toEqual(['not-applicable'])
    expect(await outcomesOf({}, id)).toEqual([])
  })

  it.each([
    ['profile/sign-up-modes-closed', 'sign-up-modes'],
    ['profile/user-types-closed', 'user-types'],
  ])('%s passes, fails, or is not applicable if the profile leaves the list open', async (id, point) => {
    expect(await outcomesOf({ profile: closing(point) }, id)).toEqual(['passed'])
    const open = { profile: closing(point), variants: ['any-federation-values'] }
    expect(await outcomesOf(open, id)).toEqual(['failed'])
    expect(await outcomesOf({ profile: closing(point, 'settles') }, id)).toEqual(['not-applicable'])
  })
})
