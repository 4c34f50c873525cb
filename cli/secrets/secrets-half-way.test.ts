import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { reporterNames } from '../arguments/option-values.ts'
import { addresses, configured, leaked, secretsIn } from './planted-secrets.fixture.ts'
import {
  configurationOf,
  type PlantingPortal,
  startPlantingPortal,
  WatchedUser,
} from './planting-portal.fixture.ts'

const few = ['--quick']
const errorFile = `${addresses.inPath}.json`

describe.concurrent('no secret, key or email address is in the output of', () => {
  async function outputOf(
    act: (user: WatchedUser, portal: PlantingPortal) => Promise<void>,
  ): Promise<{ everything: string; secrets: string[] }> {
    const portal = await startPlantingPortal({ latencyMs: 5 })
    const user = new WatchedUser()
    try {
      await act(user, portal)
      const { everything } = user
      return { everything, secrets: secretsIn(everything, portal.credentials) }
    } finally {
      await portal.close()
    }
  }
  /** Waits until the run has written partial results. */
  const halfWay = async ({ folder }: WatchedUser) => {
    const measured = join(folder.path, 'report', 'results.partial.ndjson')
    const shown = () => existsSync(measured) && readFileSync(measured, 'utf8').includes('***@***')
    for (let waits = 0; !shown(); waits += 1) {
      if (waits > 3000) throw new Error('nothing was measured')
      await sleep(10)
    }
  }
  const all = ['--reporter', reporterNames.join(','), '--out', 'report']

  test.each(['SIGINT', 'SIGKILL'] as const)('a run ended by %s', async (signal) => {
    const { everything, secrets } = await outputOf(async (user, portal) => {
      const file = user.input('portal.json', configurationOf(portal))
      const { process, ended } = user.start(['run', '--config', file, '--runs', '40', ...all])
      await halfWay(user)
      process.kill(signal)
      await ended
    })
    expect(everything.includes(signal === 'SIGINT' ? '"interrupted"' : 'results.partial.ndjson')).toBe(true)
    expect(everything.includes('***@***')).toBe(true)
    expect(secrets).toEqual([])
  })

  test('a run whose portal breaks down', async () => {
    const { everything, secrets } = await outputOf(async (user, portal) => {
      const file = user.input('portal.json', configurationOf(portal))
      const { ended } = user.start(['run', '--config', file, '--runs', '40', ...all])
      await halfWay(user)
      portal.die()
      expect((await ended).code).not.toBe(0)
      await user.run('run', '--config', file, ...all)
    })
    // By chance, checks wait for the target or for fixtures at that moment.
    expect(everything).toMatch(/nothing more is sent|cannot be reached or broke off/)
    expect(secrets).toEqual([])
  })

  test('a run whose provider leaks secrets in errors and answers, or cannot be loaded', async () => {
    const { everything, secrets } = await outputOf(async (user, portal) => {
      const [first, second] = portal.credentials
      const reported = JSON.stringify(`mail ${addresses.ofProvider}, use ${first} with ${leaked.key}`)
      user.input(
        'failing.mjs',
        `export const collaboration = () => { throw new Error(${reported}) }
        export const group = () => ({ groupId: 7, owner: ${reported} })
        export const workspace = async () => { setTimeout(() => { throw new Error(${reported}) }); return ${reported} }
        export const cleanup = () => { throw new Error(${reported}) }`,
      )
      user.input('broken.mjs', `throw new Error('${addresses.ofProvider} ${second}')`)
      user.input(
        'breaking.mjs',
        `export const group = () => ({}); setTimeout(() => { throw new Error(${reported}) })`,
      )
      for (const module of ['failing', 'broken', 'breaking']) {
        const configuration = { ...configurationOf(portal), fixtures: { module: `./${module}.mjs` } }
        const file = user.input(`${module}.json`, configuration)
        // An error in the module can end the process.
        await user.start(['run', '--config', file, ...few, ...all, '--out', module]).ended
      }
    })
    expect(everything.includes('the provider failed: ')).toBe(true)
    expect(everything.includes('cannot be loaded: ***@*** ***')).toBe(true)
    expect(everything).toMatch(/fixtures\.module \S+\.mjs: mail \*\*\*@\*\*\*/)
    expect(secrets).toEqual([])
  })

  test('a run with an invalid configuration', async () => {
    const { everything, secrets } = await outputOf(async (user, portal) => {
      const right = configurationOf(portal)
      const [credential] = portal.credentials
      const wrong = {
        'inline-key': { ...right, http: { key: configured.key, cert: configured.cert } },
        'unknown-keys': { ...right, actors: { ...right.actors, [addresses.inPath]: { credential } } },
        'wrong-types': {
          ...right,
          target: { ...right.target, edition: addresses.inPath, version: configured.cert },
        },
        'wrong-profile': { ...right, target: { ...right.target, profile: `./${errorFile}` } },
        'credential-elsewhere': { ...right, effects: [credential], http: { timeout: credential } },
        'no-yaml': `actors: { a: { credential: "${credential}", username: ${addresses.inPath} }\n${leaked.key}`,
        dead: { ...right, target: { ...right.target, baseUrl: `http://127.0.0.1:1/${addresses.inPath}` } },
      }
      for (const [name, content] of Object.entries(wrong)) {
        const file = user.input(`${name}.json`, content)
        for (const command of ['run', 'run --dry-run']) {
          const { code } = await user.run(...command.split(' '), '--config', file)
          expect({ name, command, refused: code !== 0 }).toEqual({
            name,
            command,
            refused: name !== 'dead' || command === 'run',
          })
        }
      }
    })
    expect(everything.includes('cannot be reached')).toBe(true)
    expect(secrets).toEqual([])
  })
})
