import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notations } from '../../deployment/redaction/notations.fixture.ts'
import { formatNames } from '../../reporters/document.ts'
import { reporterNames } from '../arguments/option-values.ts'
import { command } from '../process/in-process.fixture.ts'
import { addresses, leaked, secretsIn } from './planted-secrets.fixture.ts'
import {
  configurationOf,
  type PlantingPortal,
  startPlantingPortal,
  WatchedUser,
} from './planting-portal.fixture.ts'

const few = ['--quick']
const results = 'report/results.json'
const check = 'add-workspace/refuses-guest'

let portal: PlantingPortal
let user: WatchedUser
let file: string

beforeAll(async () => {
  portal = await startPlantingPortal({ faults: ['guests-add-workspaces'] })
  user = new WatchedUser()
  file = user.input('portal.json', configurationOf(portal))
  const words = ['--out', 'report', '--reporter', reporterNames.join(','), ...few]
  await user.start(['run', '--config', file, ...words]).ended
})

afterAll(() => portal.close())

const found = (text: string): string[] => secretsIn(text, portal.credentials)
const errorFile = `${addresses.inPath}.json`

/** Uses of each command. A new command needs an entry here. */
const commands: Record<string, (user: WatchedUser) => Promise<unknown>> = {
  // Other tests check its reports, and its output when something breaks.
  run: async (user) => {
    const named = user.input(errorFile, configurationOf(portal))
    await user.run('run', '--config', named, '--requirement', check, '--out', 'named', ...few)
    await user.run('run', '--failed', 'named/results.json')
  },
  serve: async (user) => {
    const { process, ended } = user.start(['serve', '--write', `none/${errorFile}`])
    await ended
    expect(process.exitCode).toBe(2)
  },
  'run --dry-run': (user) => user.run('run', '--dry-run', '--config', file),
  doctor: async (user) => {
    await user.run('doctor', '--config', file, '--fixtures')
    await user.run('doctor', '--config', file, '--json')
  },
  init: async (user) => {
    const [secret] = portal.credentials as [string]
    const { baseUrl } = portal.configuration.target
    const target = ['--base-url', baseUrl, '--out', 'written.yaml']
    await user.run('init', ...target, '--host-login', `admin:${secret}`)
    await user.run('init', ...target, '--host-login', `${secret}:HOST_PASSWORD`)
    await user.run('init', ...target.with(1, `${baseUrl}?token=${secret}`))
    await user.run('init', ...target, '--host-login', 'admin:PORTAL_CREDENTIAL_0')
    await user.run('init', ...target)
  },
  report: async (user) => {
    await user.run('report', results)
    await user.run('report', results, '--waivers', 'waivers.yaml')
    await user.run('report', results, ...formatNames.flatMap((name) => [`--${name}`, `again.${name}`]))
    const badges = ['--badge', 'badge.svg', '--badge', 'badge.json']
    await user.run('report', results, '--statement', 'statement', ...badges)
  },
  compare: async (user) => {
    const files = ['--html', 'compared.html', '--markdown', 'compared.md', '--json', 'compared.json']
    await user.run('compare', results, results, '--matrix', ...files)
    await user.run('compare', '.', '--history', '--html', 'history.html', '--markdown', 'history.md')
  },
  // `run` above covers the output of runs, so one operation is enough.
  fleet: async (user) => {
    const one = user.input('one.json', { ...configurationOf(portal), effects: ['add-workspace'] })
    await user.run('fleet', one, '--out', 'fleet', '--runs', '1')
  },
  cleanup: async (user) => {
    const journal = join(user.folder.path, 'report', 'journal.ndjson')
    // As if the run had been killed before it cleaned up.
    const lines = readFileSync(journal, 'utf8').split('\n')
    user.folder.write('cut.ndjson', lines.filter((line) => !line.includes('"cleanup"')).join('\n'))
    await user.run('cleanup', 'cut.ndjson')
  },
  requirements: (user) => user.run('requirements', '--format', 'json'),
  completion: (user) => user.run('completion', 'bash'),
  validate: async (user) => {
    const recording = user.input(`${addresses.inPath}.har`, recordingOf(portal.credentials))
    await user.run('validate', recording, '--out', 'judged', '--reporter', reporterNames.join(','))
  },
  // Its own tests cover hostile targets.
  selftest: (user) => user.run('selftest', '--out', `input/key.pem/${errorFile}`),
}

/** A request with a certificate, and an answer that breaks the contract, both full of secrets. */
function recordingOf([credential]: readonly string[]) {
  const fields = {
    f: 'pjson',
    token: credential as string,
    idpName: addresses.inAnswers,
    certificate: leaked.certificate,
  }
  const request = {
    method: 'POST',
    url: `https://portal.example/sharing/rest/portals/p1/idp/federation/${encodeURIComponent(addresses.inPath)}/update`,
    headers: [{ name: 'content-type', value: 'application/x-www-form-urlencoded' }],
    postData: { mimeType: 'application/x-www-form-urlencoded', text: new URLSearchParams(fields).toString() },
  }
  const text = JSON.stringify({
    success: 'yes',
    mail: addresses.inErrors,
    key: leaked.key,
    seen: credential,
  })
  const response = {
    status: 500,
    headers: [{ name: 'x-contact', value: addresses.inHeaders }],
    content: { mimeType: 'application/json', text },
  }
  const startedDateTime = '2026-01-01T00:00:00.000Z'
  return { log: { version: '1.2', entries: [{ startedDateTime, time: 1, request, response }] } }
}

async function existingCommands(): Promise<string[]> {
  const { out } = await command('--help')
  const list = out.split('Commands:\n')[1]?.split('\n\n')[0] as string
  return [...list.matchAll(/^ {2}(\w[\w-]*)/gm)]
    .map(([, name]) => name as string)
    .filter((name) => name !== 'help')
}

describe('secretsIn', () => {
  it.each(Object.entries(notations))('finds a planted secret, %s', (_, write) => {
    for (const secret of [
      portal.credentials[3] as string,
      addresses.inHeaders,
      leaked.key.split('\n')[1] as string,
    ]) {
      expect(found(`{"a": "${write(secret)}"}`)).not.toEqual([])
    }
  })

  it.each(['', 'a', 'ab'])('finds a planted email address within Base64, after %j', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      expect(found(Buffer.from(`${before}${addresses.inAnswers} and more`).toString(encoding))).not.toEqual(
        [],
      )
    }
  })
})

describe('secrets, keys and email addresses', () => {
  it('are in no report of a run, even if the portal sends them in every answer', () => {
    const everything = user.takeNewOutput()
    expect(readdirSync(join(user.folder.path, 'report')).length).toBeGreaterThanOrEqual(
      formatNames.length + 1,
    )
    expect(everything.includes('***@***')).toBe(true)
    expect(everything.includes('-----BEGIN CERTIFICATE----- *** -----END CERTIFICATE-----')).toBe(true)
    expect(everything.includes('-----BEGIN PRIVATE KEY----- *** -----END PRIVATE KEY-----')).toBe(true)
    expect(found(everything)).toEqual([])
  })

  it('are redacted in user names, and are a variable in curl commands', () => {
    const { requirements } = JSON.parse(readFileSync(join(user.folder.path, results), 'utf8'))
    const reassigns = requirements.find(({ id }: { id: string }) => id === 'reassign-items/reassigns')
    expect(reassigns.outcome).toBe('passed')
    const [evidence] = reassigns.checks[0].evidence
    expect(evidence.request.url).toContain('/users/***@***/')
    expect(evidence.curl).toContain('/users/\'"$PORTAL_USERNAME"\'/')
  })

  it('are redacted, but not certificates that the suite generates', () => {
    const { requirements } = JSON.parse(readFileSync(join(user.folder.path, results), 'utf8'))
    const { checks } = requirements.find(({ id }: { id: string }) => id === 'update-federation/certificate')
    expect(JSON.stringify(checks)).toMatch(/certificate=-----BEGIN\+CERTIFICATE-----%0AMII/)
  })

  it('are tested with every command', async () => {
    expect(Object.keys(commands)).toEqual(expect.arrayContaining(await existingCommands()))
  })

  it.each(Object.keys(commands))('are in no output and no file of %s', async (name) => {
    if (!(await existingCommands()).includes(name)) return
    await (commands[name] as (user: WatchedUser) => Promise<unknown>)(user)
    // Errors about missing files and unknown options.
    await user.run(name, errorFile, '--config', errorFile)
    await user.run(name, `--wrong=${leaked.key}`, errorFile)
    const output = user.takeNewOutput()
    expect(output.length).toBeGreaterThan(0)
    expect(found(output)).toEqual([])
  })

  it('are in no output of an interrupted serve', async () => {
    const { process, ended } = user.start(['serve'])
    process.stdout?.once('data', () => process.kill('SIGINT'))
    expect((await ended).stdout).toContain('credential')
    expect(found(user.takeNewOutput())).toEqual([])
  })
})
