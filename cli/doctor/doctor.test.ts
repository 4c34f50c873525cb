import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { releaseIn } from '../../deployment/administration/find-deployment.ts'
import { serve } from '../../deployment/http/server.fixture.ts'
import { loginsConfiguration } from '../../reference/configuration.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { folderOfFile } from '../process/test-folder.fixture.ts'
import { portalOfFile } from '../process/test-portal.fixture.ts'

const portalOf = portalOfFile()
const folder = folderOfFile()

const check = { in: 'form', name: 'token', check: '/community/self' }

/** The configuration of the portal with some keys changed. */
function file(name: string, changes: object = {}): string {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, stringify({ ...portalOf().configuration, ...changes }))
  return path
}

const json = async (...words: string[]) => {
  const { code, out } = await command('doctor --json', ...words)
  return { code, found: JSON.parse(out) }
}

describe('doctor', () => {
  it('reports a complete configuration as ready, and sends nothing to change the target', async () => {
    const before = portalOf().requests
    const { code, out, err } = await command('doctor --config', file('whole', { authentication: check }))
    expect([code, err]).toEqual([0, ''])
    expect(portalOf().requests).toBe(before)
    expect(out).toContain(`${portalOf().baseUrl}: examined; nothing was changed there.`)
    expect(out).toMatch(/✓ reached; 7 answers one after the other: median [\d.]+ ms, longest [\d.]+ ms/)
    expect(out).toContain('✓ the deployment says that it is release 11.3; target.version is 11.3')
    expect(out).toMatch(/✓ hostAdministrator, [\s\S]*outsider: signed\s+in, with the rights of the role\n/)
    expect(out).toMatch(/\? taskOwner, syncInitiator, syncNonInitiator: signed in; [\s\S]*not shown\n/)
    expect(out).toContain('? from fixtures.url: not asked; doctor --fixtures asks')
    expect(out).toMatch(/✓ about [\d,]+ requests: \d+ s, an estimate/)
    expect(out).not.toContain('What to add')
    expect(out).toMatch(/Ready: (\d+) of \1 checks can be made\.\n$/)
  })

  it('reports the same as JSON with --json', async () => {
    const { code, found } = await json('--config', file('whole', { authentication: check }))
    expect(code).toBe(0)
    expect(found).toMatchObject({
      baseUrl: portalOf().baseUrl,
      parts: ['Target', 'Credentials', 'Fixtures', 'Effects', 'Length of a run'].map((title) => ({ title })),
      add: [],
      outcome: 'ready',
    })
    expect(found.parts[0].lines[0]).toEqual({ outcome: 'passed', text: expect.stringMatching(/^reached; 7/) })
    expect(found.requests).toBeGreaterThan(1000)
  })

  it('reports a credential as not tried if authentication.check is not set', async () => {
    const { code, out } = await command('doctor --config', file('untried'))
    expect(code).toBe(0)
    expect(out).toMatch(/\? hostAdministrator, [\s\S]*: there, but not tried; authentication\.check/)
    expect(out).not.toContain('signed in')
  })

  it('does not tick a caller whose rights are not those of the role', async () => {
    const { hostMember, hostAdministrator, itemOwner } = portalOf().configuration.actors
    const actors = {
      hostAdministrator: itemOwner,
      contentAdministrator: hostMember,
      outsider: hostAdministrator,
    }
    const { code, out } = await command('doctor --config', file('other', { actors, authentication: check }))
    expect(code).toBe(0)
    expect(out.replace(/\s+/g, ' ')).toContain(
      '! hostAdministrator, contentAdministrator, outsider: signed in, but the deployment shows other rights than the role needs',
    )
  })

  it('does not tick fixtures if a login that makes them lacks the rights', async () => {
    const portal = portalOf()
    const { username, credential } = portal.configuration.actors.outsider
    const { administration, ...others } = loginsConfiguration(portal.logins)
    const path = join(folder, 'powerless.yaml')
    const host = { username, credential }
    writeFileSync(path, stringify({ ...others, administration: { ...administration, host } }))
    const { out } = await command('doctor --config', path)
    expect(out).toMatch(/\? about \d+ collaborations/)
    expect(out).toContain('! hostAdministrator: may lack the rights to make them')
    expect(out).toMatch(/If hostAdministrator had its rights, \d+ of \d+\s+requirements could be judged/)
  })

  it('names a credential that does not work, and exits with 3', async () => {
    const { outsider, ...others } = portalOf().configuration.actors
    const actors = { ...others, outsider: { ...outsider, credential: 'not-what-it-should-be' } }
    const { code, out } = await command('doctor --config', file('broken', { actors, authentication: check }))
    expect(code).toBe(3)
    expect(out).toMatch(/✗ outsider: its credential does not work: \/community\/self answered HTTP/)
    expect(out).toContain('+ actors.outsider.credential: 1 more check of 1 requirement')
    expect(out).toMatch(
      /Not ready: what is marked with ✗ is broken\. \d+ of \d+ checks can be made without it\.\n$/,
    )
    expect(out).not.toContain('not-what-it-should-be')
  })

  it('asks the fixture provider only with --fixtures, and lists the kinds that it does not offer', async () => {
    const list = { collaboration: [{ collaborationId: 'c1' }], group: [{ groupId: 'g1' }] }
    const named = file('listed', { fixtures: { static: list } })
    const listed = await command('doctor --config', named)
    expect(listed.out).toContain('✓ lists in the configuration: collaboration (1), group (1)')
    const asked = await command('doctor --config', named, '--fixtures')
    expect(asked.out).toContain('examined; nothing was changed there.\n')
    expect(asked.code).toBe(0)
    expect(asked.out).toMatch(/✓ group: /)
    expect(asked.out).toMatch(/– taskRun: /)

    const whole = file('whole')
    const { out } = await command('doctor --config', whole, '--fixtures')
    expect(out).toMatch(/nothing was changed there, except\s+what\s+the\s+fixture\s+provider\s+made/)
    const { found } = await json('--config', whole, '--fixtures')
    expect(found.outcome).toBe('ready')
    expect(JSON.stringify(found.parts)).toContain('federation: such as')
  })

  /** The configuration with a provider that answers every request like this. */
  async function fileWithProvider(status: number, answer: object): Promise<string> {
    const url = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    return file('provider', { fixtures: { url } })
  }

  it('suggests adding the fixtures that the provider does not offer', async () => {
    const { code, found } = await json('--fixtures', '--config', await fileWithProvider(404, {}))
    expect([code, found.requests]).toEqual([0, 0])
    expect(found.add.flatMap(({ add }: { add: string[] }) => add)).toContain('fixtures.group')
  })

  it('exits with 3 if the provider fails', async () => {
    const failing = await fileWithProvider(500, { reason: 'no database' })
    const { code, out } = await command('doctor --fixtures --config', failing)
    expect(code).toBe(3)
    expect(out).toMatch(/✗ [\s\S]*no database/)
    expect(out).toMatch(/Not ready: .* 0 of \d+ checks can be made without it\.\n$/)
  })

  it.each([
    // An internal number: 10.1 is release 11.0.
    ['{"currentVersion":"10.1"}', undefined],
    ['{"currentVersion":10.91}', undefined],
    ['{"currentVersion":"2025.2","enterpriseVersion":"12.0"}', '12.0'],
    ['{"currentVersion":"2025.2","enterpriseVersion":11.3}', '11.3'],
    ['{"currentVersion":"10.1","enterpriseVersion":"\\u001b[31m12.0"}', undefined],
    ['{"currentVersion":"\\u001b[31mred"}', undefined],
  ])('reads the release from %s as %s', (body, release) => {
    expect(releaseIn(JSON.parse(body))).toBe(release)
  })
})

describe('doctor, comparing target.version and the release', () => {
  const withTarget = async (name: string, target: object) => {
    const whole = { ...portalOf().configuration.target, ...target }
    const { out } = await command('doctor --config', file(name, { target: whole }))
    return out.replace(/\n {4,}/g, ' ')
  }

  it('warns about operations that a run skips because of target.version', async () => {
    const out = await withTarget('older', { version: '10.7' })
    expect(out).toContain('! the deployment says that it is release 11.3; target.version is 10.7')
    expect(out).toContain(
      '! 2 operations are not judged: release 10.7 has no reassign-items and no update-task-run',
    )
  })

  it('warns about operations that a run skips because of target.edition', async () => {
    expect(await withTarget('hosted', { edition: 'hosted', offers: ['update-task-run'] })).toContain(
      '! 1 operation is not judged: the hosted edition has no reassign-items',
    )
  })

  it('warns if target.version is an internal number instead of a release', async () => {
    expect(await withTarget('internal', { version: '2024.1' })).toContain(
      '! target.version 2024.1 is currentVersion, an internal number and not the release: set it to 11.3, or remove it',
    )
  })

  it('announces that every operation is judged if target.version is not set', async () => {
    const out = await withTarget('unset', { version: undefined })
    expect(out).toContain(
      '– the deployment says that it is release 11.3; target.version is not set, so every operation is judged',
    )
    expect(out).not.toContain('not judged:')
  })
})

describe('the estimate of doctor', () => {
  it('is within 10 % of the requests that a run sends', async () => {
    const { found } = await json('--reference', '--runs', '1')
    const out = join(folder, 'counted')
    await command('run --reference --runs 1 --reporter json --out', out)
    const { requests } = resultsIn(out).run
    expect(found.requests / requests).toBeGreaterThan(0.9)
    expect(found.requests / requests).toBeLessThan(1.1)
  })
})

describe('run --dry-run', () => {
  it('estimates the duration and suggests what to add, without sending requests', async () => {
    const before = portalOf().requests
    const { hostAdministrator } = portalOf().configuration.actors
    const { code, out } = await command(
      'run --dry-run --config',
      file('few', { actors: { hostAdministrator } }),
    )
    expect([code, portalOf().requests]).toEqual([0, before])
    expect(out).toMatch(
      /\? about [\d,]+ requests: \d+ s where an answer takes 20 ms, .* where it takes 250 ms;/,
    )
    expect(out).toMatch(/most useful first\n {2}\+ actors\.\w+: \d+ more checks of \d+ requirements\n/)
    expect(out).toMatch(/actors\.hostMember: a member of the host portal without administrative rights/)
  })
})
