import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { observedSurroundings } from '../cli/process/surroundings.fixture.ts'
import { runProgram } from '../cli/program.ts'
import { contentsOf } from '../deployment/administration/administered.fixture.ts'
import { furnish } from '../reference/administration/inventory.ts'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'

const page = readFileSync(new URL('../docs/first-deployment.md', import.meta.url), 'utf8')

/** The command lines of the page, in their order, without the name of the program. */
const written = [...page.matchAll(/^ {4}\$ portal-conformance ((?:.*\\\n)*.*)$/gm)].map(([, line]) =>
  (line as string).split(/[\s\\]+/),
)

/** A portal with what the page takes of it, and a folder to work in. */
interface Place {
  readonly portal: EmbeddedPortal
  readonly folder: string
  /** What stands behind these options instead of what the page shows. */
  readonly values: Readonly<Record<string, string>>
}

async function placeFor(variants: readonly string[] = []): Promise<Place> {
  const portal = await startPortal({ variants })
  const { target, portals, fixtures } = portal.configuration
  const fixture = async (kind: string) => {
    const answer = await fetch(`${fixtures.url}/${kind}`, { method: 'POST', body: '{}' })
    return (await answer.json()) as { collaborationId: string; groupId: string }
  }
  const values = {
    '--base-url': target.baseUrl,
    '--host-id': portals.host.id,
    '--guest-id': portals.guest.id,
    '--collaboration': (await fixture('collaboration')).collaborationId,
    '--group': (await fixture('group')).groupId,
  }
  return { portal, folder: mkdtempSync(join(tmpdir(), 'pc-first-')), values }
}

async function leave({ portal, folder }: Place): Promise<void> {
  await portal.close()
  rmSync(folder, { recursive: true })
}

/** The command as it stands on the page, but for the ids of this portal and the place of the files. */
async function type({ portal, folder, values }: Place, command: readonly string[]) {
  const words = command.map((word, at) => {
    if (word === 'staging.yaml' || word === 'portal.yaml.pem') return join(folder, word)
    return values[command[at - 1] ?? ''] ?? word
  })
  const out = command[0] === 'run' ? ['--out', join(folder, 'report')] : []
  const token = portal.configuration.actors.hostAdministrator.credential
  const observed = observedSurroundings({
    HOST_ADMINISTRATOR_TOKEN: token,
    HOST_PASSWORD: portal.logins.host.password,
    GUEST_PASSWORD: portal.logins.guest.password,
  })
  const code = await runProgram([...words, ...out], observed)
  return { code, out: observed.printed(), err: observed.complained() }
}

const resultsIn = ({ folder }: Place): Results =>
  JSON.parse(readFileSync(join(folder, 'report', 'results.json'), 'utf8'))

const outcomeOf = (id: string, { requirements }: Results) =>
  requirements.find((each) => each.id === id)?.outcome

const withLogins = written.slice(0, 4) as [string[], string[], string[], string[]]
const [init, doctor, plan, run, initAgain, runAgain] = written.slice(4) as [
  ...[string[], string[], string[], string[], string[], string[]],
]

describe('the page about a first deployment, with two logins', { timeout: 240_000 }, () => {
  let place: Place
  let before: string[]

  beforeAll(async () => {
    const portal = await startPortal({ tls: true })
    furnish(portal.store)
    const folder = mkdtempSync(join(tmpdir(), 'pc-first-'))
    writeFileSync(join(folder, 'portal.yaml.pem'), portal.certificate ?? '')
    const { host, guest } = portal.logins
    place = { portal, folder, values: { '--base-url': host.baseUrl, '--guest-url': guest.baseUrl } }
    before = contentsOf(portal)
  })

  afterAll(() => leave(place))

  it('writes a file that says what the deployment is, and finds it ready', async () => {
    const [initLine, doctorLine, planLine] = withLogins
    expect(await type(place, initLine)).toMatchObject({ code: 0, err: '' })
    const written = readFileSync(join(place.folder, 'staging.yaml'), 'utf8')
    expect(written).toContain(`id: ${place.portal.store.portals.guest}`)
    expect(written).not.toContain(place.portal.logins.host.password)
    const looked = await type(place, doctorLine)
    expect(looked.code).toBe(0)
    expect(looked.out).toContain('With this, 100 of 100 requirements can be judged')
    expect(looked.out).toMatch(/✓ about \d+ collaborations, at most \d+, each with the guest in it\n/)
    expect((await type(place, planLine)).out).toContain('What the run makes itself')
    expect(contentsOf(place.portal)).toEqual(before)
  })

  it('goes on to a verdict on the whole contract, and leaves nothing behind', async () => {
    // Few cases are enough to see that all of it can be judged.
    const { code, err } = await type(place, [...withLogins[3], '--runs', '2'])
    const results = resultsIn(place)
    expect(err).toMatch(/Making fixtures: ([\d,]+) of \1\n(?:.*\n)*Removing ([\d,]+) of \2\n/)
    expect([code, results.verdict]).toEqual([0, 'conformant'])
    const untested = results.requirements.filter(({ outcome }) => outcome === 'not-tested')
    expect(untested.map(({ id }) => id)).toEqual(['sync-workspace/own-syncs-one-at-a-time'])
    expect(contentsOf(place.portal)).toEqual(before)
    const { host, guest } = place.portal.logins
    const report = readdirSync(join(place.folder, 'report')).map((name) =>
      readFileSync(join(place.folder, 'report', name), 'utf8'),
    )
    for (const text of [err, ...report])
      for (const secret of [host.password, guest.password, ...place.portal.store.tokens.keys()])
        expect(text.includes(secret)).toBe(false)
  })
})

describe('the page about a first deployment', () => {
  let place: Place

  beforeAll(async () => {
    place = await placeFor()
  })

  afterAll(() => leave(place))

  it('shows these commands', () => {
    const second = ['init', 'doctor', 'plan', 'run', 'init', 'run']
    expect(written.map(([command]) => command)).toEqual(['init', 'doctor', 'plan', 'run', ...second])
  })

  it('begins with a configuration that works, as doctor finds, and a list of what to add', async () => {
    expect(await type(place, init)).toMatchObject({ code: 0, err: '' })
    const looked = await type(place, doctor)
    expect([looked.code, looked.err]).toEqual([0, ''])
    expect(looked.out).toContain('✓ hostAdministrator: its credential works')
    expect(looked.out).toContain('✓ a run may perform update-participant\n')
    expect(looked.out).toContain('+ effects.add-workspace, fixtures.group: 37 more checks of 29 requirements')
    const planned = await type(place, plan)
    expect(planned.code).toBe(0)
    const said = (text: string): string[] => text.match(/^ {2}\+ .*$/gm) ?? []
    expect(said(planned.out)).toEqual(said(looked.out))
    expect(said(planned.out).length).toBeGreaterThan(5)
  })

  it('goes on to a verdict that is incomplete, with the list of what to add', async () => {
    const { code, out } = await type(place, run)
    const results = resultsIn(place)
    expect(code).toBe(3)
    expect(results).toMatchObject({
      verdict: 'incomplete',
      totals: { failed: 0, inconclusive: 0, passed: 8 },
    })
    expect(out).toMatch(/most useful first\n {2}\+ effects\.add-workspace, fixtures\.group: 37 more checks/)
    expect(out).toContain('actors.hostMember: a member of the host portal without administrative rights')
    expect(out).toMatch(/Incomplete: nothing failed and 7 of 100 must and implied requirements/)
    expect(outcomeOf('add-workspace/creates', results)).toBe('not-tested')
  })

  it('and to more after the first thing is added, all of it in one collaboration that stays', async () => {
    expect((await type(place, initAgain)).code).toBe(0)
    const { code, out } = await type(place, runAgain)
    const results = resultsIn(place)
    expect(code).toBe(3)
    expect(results).toMatchObject({
      verdict: 'incomplete',
      totals: { failed: 0, inconclusive: 0, passed: 25 },
    })
    for (const id of ['creates', 'name-kept', 'name-limit-accepts', 'name-limit-rejects'])
      expect([id, outcomeOf(`add-workspace/${id}`, results)]).toEqual([id, 'passed'])
    expect(out).not.toContain('fixtures.group:')
    expect([...place.portal.store.collaborations.keys()]).toContain(place.values['--collaboration'])
  })
})

describe('one collaboration is no reason to find something wrong', () => {
  it.each<[string, string[], string[]]>([
    ['where equal names are refused, which is permitted', ['equal-names-refused'], []],
    ['where checks may delete it', [], ['--effects', 'all']],
  ])('%s', async (_, variants, options) => {
    const place = await placeFor(variants)
    try {
      expect((await type(place, [...initAgain, ...options])).code).toBe(0)
      expect((await type(place, runAgain)).code).toBe(3)
      expect(resultsIn(place)).toMatchObject({
        verdict: 'incomplete',
        totals: { failed: 0, inconclusive: 0, warned: 0 },
      })
    } finally {
      await leave(place)
    }
  })
})
