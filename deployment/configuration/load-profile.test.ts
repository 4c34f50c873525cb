import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { issuesOf } from '../../schemas/validators.ts'
import { profiles } from '../../specs/profile.ts'
import { configurationFolder, least, load } from './configuration-file.fixture.ts'
import { loadProfile } from './load-profile.ts'

const folder = configurationFolder()

function write(name: string, more: object): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, JSON.stringify({ format: 'portal-conformance/profile', name, title: 'x', ...more }))
  return `./${name}.yaml`
}

const problemOf = (name: string): string => {
  try {
    loadProfile(name, folder)
  } catch (error) {
    return (error as Error).message.replaceAll(folder, 'FOLDER')
  }
  return ''
}

describe('built-in profiles', () => {
  it.each(profiles.map((profile) => [profile.name, profile] as const))(
    '%s is valid and has no point twice',
    (_, profile) => {
      expect(issuesOf('profile', profile)).toEqual([])
      expect(profile.points?.length).toBeGreaterThan(5)
      const named = profile.points?.map(({ point }) => point) ?? []
      expect(named.filter((point, at) => named.indexOf(point) !== at)).toEqual([])
    },
  )

  it('are found by name, and a wrong name gets a suggestion', () => {
    expect(loadProfile('none', folder)).toBeUndefined()
    expect(problemOf('arcgs')).toBe(
      'there is no profile "arcgs"; did you mean arcgis? Known are none, arcgis; a file is named by its path, such as ./arcgs.yaml',
    )
  })
})

describe('profile from a file', () => {
  it('overrides single values and points of the profile that it extends', () => {
    const own = write('own', {
      extends: 'arcgis',
      contract: { federation: { userTypes: ['ours'] } },
      points: [{ point: 'run-statuses', effect: 'closes', says: 'these', source: 'the manual' }],
      errors: { noCredential: { codes: [401], source: 'the manual' } },
    })
    const profile = loadProfile(own, folder)
    expect(profile?.name).toBe('own')
    expect(profile?.contract?.federation).toMatchObject({ userTypes: ['ours'], roleId: 'org_user' })
    expect(profile?.errors).toMatchObject({ noCredential: { codes: [401] }, notPermitted: { codes: [403] } })
    const statuses = profile?.points.filter(({ point }) => point === 'run-statuses')
    expect(statuses).toEqual([
      { point: 'run-statuses', effect: 'closes', says: 'these', source: 'the manual' },
    ])
  })

  it('sets how long slow requests may take', () => {
    const own = write('slow', {
      extends: 'arcgis',
      durations: { trust: { upTo: '90s', source: 'seen on staging' } },
    })
    const longest = (profile: string) =>
      load(least.replace('localhost:1/x//', `localhost:1/x, profile: ${JSON.stringify(profile)}`)).profile
        ?.longestMs
    expect(longest('arcgis')).toEqual({ synchronousSync: 300_000, trust: 300_000 })
    expect(longest(join(folder, own))).toEqual({ synchronousSync: 300_000, trust: 90_000 })
    write('wrong', { durations: { trust: { upTo: 'long', source: 'x' } } })
    expect(problemOf('./wrong.yaml')).toMatch(/durations\.trust\.upTo.*a duration such as 90s or 5m/)
  })

  it('is found relative to the profile that extends it, and cannot extend itself', () => {
    write('one', { extends: './two.yaml' })
    write('two', { extends: './one.yaml' })
    expect(problemOf('./one.yaml')).toMatch(
      /one\.yaml: extends itself: .*one\.yaml extends .*two\.yaml extends .*one\.yaml$/,
    )
  })

  it.each([
    [
      { points: [{ point: 'run-status', effect: 'informs', says: 'x', source: 'x' }] },
      /there is no open point "run-status"; did you mean run-statuses\?/,
    ],
    [
      { points: [{ point: 'markup', effect: 'closes', says: 'x', source: 'x' }] },
      /markup cannot be closed; what can are run-statuses, sign-up-modes, user-types, own-syncs/,
    ],
    [{ points: [{ point: 'markup', effect: 'informs', says: 'x' }] }, /points\[0\]\.source: missing/],
    [{ contracts: {} }, /contracts: unknown; known are/],
    [{ extends: './nowhere.yaml' }, /nowhere\.yaml: cannot be read: there is no such file/],
  ])('is refused with the reason: %j', (more, message) => {
    expect(problemOf(write('bad', more))).toMatch(message)
  })
})

describe('configuration with a profile', () => {
  const withProfile = (name: string, more = '') =>
    load(`${least.replace('// }', ` , profile: ${name} }`)}${more}`)

  it('overrides the profile', () => {
    const { contract, authentication, target, profile } = withProfile(
      'arcgis',
      'authentication: { name: key }\ncontract: { run: { statuses: [executing] } }\n',
    )
    expect([target.profile, profile?.name]).toEqual(['arcgis', 'arcgis'])
    expect(authentication).toEqual({ in: 'form', name: 'key', prefix: '', check: '/community/self' })
    expect(contract.sync?.parameter).toBe('async')
    expect(contract.run).toEqual({ statuses: ['executing'] })
    expect(contract.federation?.signUpModes).toEqual(['Automatic', 'Invitation'])
  })
})
