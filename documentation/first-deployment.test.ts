/** docs/first-deployment.md: runs its commands, and compares their output with its lines and numbers. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { htmlPage, portalBehindProxy, userOf } from '../cli/end-to-end/portal-behind-proxy.fixture.ts'
import { typedTerminal } from '../cli/init/terminal.fixture.ts'
import { resultsIn, runInProcess } from '../cli/process/in-process.fixture.ts'
import { runProgram } from '../cli/program.ts'
import { contentsOf } from '../deployment/administration/administered.fixture.ts'
import { answerOf } from '../deployment/http/answer.fixture.ts'
import { diagnosisOf, inOneLine, newTokenTrouble } from '../deployment/http/diagnosis.ts'
import { furnish } from '../reference/administration/inventory.ts'
import type { loginsConfiguration } from '../reference/configuration.ts'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'

const page = readFileSync(new URL('../docs/first-deployment.md', import.meta.url), 'utf8')
const sample = /^(?: {4}.*\n|\n(?= {4}))+/gm

interface Block {
  /** Words of the command line, without the name of the program; undefined for text alone. */
  readonly command?: readonly string[]
  readonly text: string
}

/** The indented blocks of the page, in order: commands with their output, and other text. */
const blocks: readonly Block[] = [...page.matchAll(sample)].flatMap(([block]) =>
  block
    .trimStart()
    .replace(/^ {4}/gm, '')
    .split(/^(?=\$ )/m)
    .map((part) => {
      const [, line, text = ''] = /^\$ portal-conformance ((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(part) ?? []
      return line === undefined ? { text: part } : { command: line.split(/[\s\\]+/), text }
    }),
)
const shown = blocks.filter((block): block is Required<Block> => block.command !== undefined)
const [typedInit, doctor, plan, run, doctorAgain, runAgain] = shown as [
  ...[Required<Block>, Required<Block>, Required<Block>, Required<Block>],
  ...[Required<Block>, Required<Block>],
]

/** Line breaks depend on how long addresses are. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The pieces between ellipses, which replace omitted lines. */
const pieces = (text: string): string[] =>
  text
    .split(/^ *…\n/m)
    .map(flat)
    .filter((piece) => piece !== '')

function expectToShow(printed: string, { text }: Block): void {
  for (const piece of pieces(text)) expect(flat(printed)).toContain(piece)
}

/** The text block with this beginning. */
const blockOf = (beginning: string): Block =>
  blocks.find(({ text }) => text.startsWith(beginning)) ?? { text: `no block begins with ${beginning}` }

/** A portal, the texts of the page that depend on the portal, and a working folder. */
interface Place {
  readonly portal: EmbeddedPortal
  readonly folder: string
  /** Texts of the page, each with the actual text for this portal. */
  readonly real: readonly (readonly [written: string, actual: string])[]
}

const placeOf = (portal: EmbeddedPortal, real: Place['real']): Place => ({
  portal,
  real,
  folder: mkdtempSync(join(tmpdir(), 'pc-first-')),
})

async function leave({ portal, folder }: Place): Promise<void> {
  await portal.close()
  rmSync(folder, { recursive: true })
}

const asHere = ({ real }: Place, text: string): string =>
  real.reduce((before, [written, actual]) => before.replaceAll(written, actual), text)

const asOnPage = ({ real }: Place, text: string): string =>
  real.reduce((before, [written, actual]) => before.replaceAll(actual, written), text)

/** Runs a command of the page, with further words; returns output with the texts of the page. */
async function type(place: Place, { command }: Required<Block>, ...more: string[]) {
  const { portal, folder } = place
  const { code, stdout, stderr } = await runInProcess(
    [...command.map((word) => asHere(place, word)), ...more],
    folder,
    {
      HOST_ADMINISTRATOR_TOKEN: portal.configuration.actors.hostAdministrator.credential,
      HOST_PASSWORD: portal.logins.host.password,
      GUEST_PASSWORD: portal.logins.guest.password,
    },
  )
  return { code, out: asOnPage(place, stdout), err: asOnPage(place, stderr) }
}

const resultsOf = ({ folder }: Place): Results => resultsIn(join(folder, 'portal-conformance-report'))

const outcomeOf = (id: string, { requirements }: Results) =>
  requirements.find((each) => each.id === id)?.outcome

/** Runs `init` in the folder, and answers its questions as on the page. */
async function answerInit(place: Place) {
  const { host, guest } = place.portal.logins
  const terminal = typedTerminal()
  const home = process.cwd()
  process.chdir(place.folder)
  try {
    const ended = runProgram(typedInit.command, terminal.commandContext)
    for (const [question, keys] of [
      ['[yes]:', ''],
      ['Base URL of the host:', host.baseUrl],
      ['administrator of the host:', host.username],
      ['(does not show):', host.password],
      ['[none]:', guest.baseUrl],
      ['or none:', guest.username],
      ['(does not show):', guest.password],
      ['[yes]:', ''],
    ] as const)
      await terminal.typeAfter(question, `${keys}\r`)
    return { code: await ended, out: asOnPage(place, terminal.shown().replaceAll('\r', '')) }
  } finally {
    process.chdir(home)
  }
}

it('docs/first-deployment.md shows two sequences of commands', () => {
  const both = [
    ['init', 'doctor', 'run --dry-run', 'run'],
    ['doctor', 'run'],
  ]
  const named = shown.map(({ command }) => command.filter((word, at) => at === 0 || word === '--dry-run'))
  expect(named.map((words) => words.join(' '))).toEqual(both.flat())
})

describe('docs/first-deployment.md, with two logins', { timeout: 240_000 }, () => {
  let place: Place
  let before: string[]

  beforeAll(async () => {
    const portal = await startPortal({ tls: true })
    furnish(portal.store)
    const { text } = blockOf('target:')
    const [hostId, guestId] = [...text.matchAll(/ id: (\S+)/g)].map(([, id]) => id as string)
    const { store, logins } = portal
    place = placeOf(portal, [
      ['https://127.0.0.1:8099', new URL(logins.host.baseUrl).origin],
      [hostId as string, store.portals.host],
      [guestId as string, store.portals.guest],
    ])
    writeFileSync(join(place.folder, 'portal.yaml.pem'), portal.certificate ?? '')
    before = contentsOf(portal)
  })

  afterAll(() => leave(place))

  it('shows the questions of init and the configuration that init writes', async () => {
    const { code, out } = await answerInit(place)
    expect(code).toBe(0)
    expectToShow(out, typedInit)
    const file = readFileSync(join(place.folder, 'portal-conformance.yaml'), 'utf8')
    expectToShow(asOnPage(place, file.replace(/^ *#.*\n/gm, '')), blockOf('target:'))
    const { host, guest } = place.portal.logins
    for (const { password } of [host, guest]) expect(out + file).not.toContain(password)
  })

  it('shows the output of doctor and run --dry-run, which create nothing', async () => {
    const { code, out, err } = await type(place, doctor)
    expect(code).toBe(0)
    // The duration depends on the median answer, so it may be longer on a busy machine.
    const minutes = /A run takes about \d+ min/
    const [times] = /\d+(?= times each, once a minute)/.exec(doctor.text) ?? []
    expect(doctor.text).toContain(`A run takes about ${times} min`)
    expectToShow((err + out).replace(minutes, `A run takes about ${times} min`), doctor)
    const planned = await type(place, plan)
    expectToShow(planned.out, plan)
    expect(contentsOf(place.portal)).toEqual(before)
  })

  it('shows the output of run, which judges everything and leaves nothing behind', async () => {
    // A quick run is enough to judge everything, and the portal shows consequences at once.
    appendFileSync(join(place.folder, 'portal-conformance.yaml'), 'run: { settle: 300ms }\n')
    const { code, out, err } = await type(place, run, '--quick')
    const results = resultsOf(place)
    expect(err).toMatch(/Making fixtures: ([\d,]+) of \1\n(?:.*\n)*Removing ([\d,]+) of \2\n/)
    expect([code, results.verdict]).toEqual([0, 'conformant'])
    expectToShow(err + out, run)
    const untested = results.requirements.filter(({ outcome }) => outcome === 'not-tested')
    expect(untested.map(({ id }) => id)).toEqual(['sync-workspace/own-syncs-one-at-a-time'])
    expect(contentsOf(place.portal)).toEqual(before)
    const { host, guest } = place.portal.logins
    const folder = join(place.folder, 'portal-conformance-report')
    const report = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    for (const text of [out, err, ...report])
      for (const secret of [host.password, guest.password, ...place.portal.store.tokens.keys()])
        expect(text.includes(secret)).toBe(false)
  })
})

describe('docs/first-deployment.md, on the needs of a deployment', () => {
  type Logins = Parameters<typeof loginsConfiguration>[0]
  type Written = ReturnType<typeof loginsConfiguration>

  const portalWith = async (variants: readonly string[] = []) => {
    const portal = await startPortal({ variants })
    return { ...portal, [Symbol.asyncDispose]: () => portal.close() }
  }
  const doctorOf = async (logins: Logins, change?: (written: Written) => object) => {
    // The default number of cases: with fewer, less can be judged without a guest.
    const { out } = await userOf(logins, change).doctor('--runs', '25')
    return { out: flat(out) }
  }
  /** The cells of the first table row whose first cell contains the text. */
  const row = (text: string): string[] => {
    const found = page.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(text))
    return (found ?? '').split('|').map((cell) => cell.trim())
  }

  const judgedIn = (out: string): string | undefined =>
    /(\d+ of \d+) requirements c(?:an|ould) be judged/.exec(out)?.[1]

  it('has the number of requirements that can be judged without each permission', async () => {
    await using portal = await portalWith()
    const withoutUsers = await doctorOf(portal.logins, ({ administration, ...others }) => ({
      ...others,
      administration: { ...administration, users: 'none' },
    }))
    expect(row('you allow users')[3]).toBe(judgedIn(withoutUsers.out))
    expectToShow(withoutUsers.out, blockOf('– no users'))
    const withoutGuest = await doctorOf(portal.logins, ({ administration, portals: _, ...others }) => ({
      ...others,
      administration: { host: administration.host, users: 'create' },
    }))
    expect(row('an administrator of a guest')[3]).toBe(judgedIn(withoutGuest.out))
    const user = portal.store.users.get(portal.logins.host.username)
    if (user !== undefined) Object.assign(user, { role: 'custom' })
    const lesser = await doctorOf(portal.logins)
    expect(lesser.out).toContain('a run cannot make users')
    expect(row('a full administrator')[3]).toBe(judgedIn(lesser.out))
  })

  it('has the number of requirements that can be judged without portaladmin', async () => {
    const { logins } = await portalBehindProxy(({ path }) =>
      /\/portaladmin/.test(path) ? htmlPage(403, 'Forbidden') : undefined,
    )
    const { out } = await doctorOf(logins)
    expect(row('/portaladmin')[3]).toBe(judgedIn(out))
  })

  it.each<[string, Parameters<typeof answerOf>[0]]>([
    ['web-tier', { status: 401, headers: { 'www-authenticate': 'Negotiate' } }],
    ['a redirect', { status: 302, headers: { location: 'https://127.0.0.1/x' } }],
    ['a firewall', htmlPage(403, 'Request blocked')],
    ['a login page', htmlPage(200, 'Sign in to continue')],
    ['another path', htmlPage(404, 'Not Found')],
    ['a proxy that drops', { body: '{"error":{"code":498}}' }],
  ])('shows the diagnosis of an obstacle in front of the portal: %s', (what, given) => {
    const answer = answerOf(given)
    const diagnosis = diagnosisOf(answer, 'http://127.0.0.1/sharing/rest')
    const reported = diagnosis === undefined ? newTokenTrouble(answer, 'referer') : inOneLine(diagnosis)
    const [, , line = '', advice = ''] = row(what)
    expect(reported).toContain(line.replaceAll('`', ''))
    const [port] = /port \d+/.exec(advice) ?? ['']
    expect(reported).toContain(port)
  })

  it('shows the output of doctor about another guest address and an older release', async () => {
    await using guest = await portalWith(['guest-has-another-address'])
    expectToShow((await doctorOf(guest.logins)).out, blockOf('– the guest knows'))
    await using older = await portalWith(['older-release'])
    const { out } = await doctorOf(older.logins)
    expectToShow(out, blockOf('! 2 operations are'))
    expect(out).not.toContain('another address')
  })
})

describe('docs/first-deployment.md, with a token', () => {
  const file = blockOf('target: {').text
  const ending = `    ${blockOf('group: [').text}`
  const idsOnPage = [...(file + ending).matchAll(/(?:id|Id): (\w+)/g)].map(([, id]) => id as string)
  const [hostId, guestId, collaborationOnPage, , , groupId] = idsOnPage as [
    ...[string, string, string, string, string, string],
  ]

  /** A portal with the fixtures of the page. */
  async function placeFor(variants: readonly string[] = []): Promise<Place> {
    const portal = await startPortal({ variants })
    const { target, portals, fixtures } = portal.configuration
    const fixture = async (kind: string) => {
      const answer = await fetch(`${fixtures.url}/${kind}`, { method: 'POST', body: '{}' })
      return (await answer.json()) as { collaborationId: string; groupId: string }
    }
    const place = placeOf(portal, [
      ['http://127.0.0.1:8099/sharing/rest', target.baseUrl],
      [hostId, portals.host.id],
      [guestId, portals.guest.id],
      [collaborationOnPage, (await fixture('collaboration')).collaborationId],
      [groupId, (await fixture('group')).groupId],
    ])
    write(place, file)
    return place
  }

  const write = (place: Place, text: string): void =>
    writeFileSync(join(place.folder, 'staging.yaml'), `${asHere(place, text)}\nrun: { settle: 300ms }\n`)

  const withGroup = file.replace(/^effects:.*\n/m, ending)

  let place: Place

  beforeAll(async () => {
    place = await placeFor()
  })

  afterAll(() => leave(place))

  it('shows the output of doctor, with a list of what to add', async () => {
    const looked = await type(place, doctorAgain)
    expect([looked.code, looked.err]).toEqual([0, ''])
    expectToShow(looked.out, doctorAgain)
    const planned = await type(place, {
      ...doctorAgain,
      command: ['run', '--dry-run', ...doctorAgain.command.slice(1)],
    })
    expect(planned.code).toBe(0)
    const additionsIn = (text: string): string[] => text.match(/^ {2}\+ .*$/gm) ?? []
    expect(additionsIn(planned.out)).toEqual(additionsIn(looked.out))
    expect(additionsIn(planned.out).length).toBeGreaterThan(5)
  })

  it('leads to an incomplete verdict, with a list of what to add', async () => {
    const { code, out } = await type(place, runAgain)
    const results = resultsOf(place)
    expect(code).toBe(3)
    expect(results).toMatchObject({
      verdict: 'incomplete',
      totals: { failed: 0, inconclusive: 0, passed: 9 },
    })
    expect(out).toMatch(/most useful first\n {2}\+ effects\.add-workspace, fixtures\.group: 37 more checks/)
    expect(out).toContain('actors.hostMember: a member of the host portal without administrative rights')
    expect(out).toMatch(/Incomplete: nothing failed and 8 of 100 must and implied requirements/)
    expect(outcomeOf('add-workspace/creates', results)).toBe('not-tested')
  })

  it('leads to more judged requirements after one addition, and keeps the listed collaboration', async () => {
    write(place, withGroup)
    const { code, out, err } = await type(place, runAgain)
    const results = resultsOf(place)
    expect(code).toBe(3)
    expectToShow(out + err, runAgain)
    expect(results).toMatchObject({
      verdict: 'incomplete',
      totals: { failed: 0, inconclusive: 0, passed: 27 },
    })
    for (const id of ['creates', 'name-kept', 'name-limit-accepts', 'name-limit-rejects'])
      expect([id, outcomeOf(`add-workspace/${id}`, results)]).toEqual([id, 'passed'])
    expect(out).not.toContain('fixtures.group:')
    expect([...place.portal.store.collaborations.keys()]).toContain(asHere(place, collaborationOnPage))
  })
})
