/** A folder to run the commands of a document in, with running portals, their configurations, and earlier results. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { npxScript } from '../cli/ci/pipeline.fixture.ts'
import { UserFolder } from '../cli/end-to-end/command.fixture.ts'
import { startPortal } from '../reference/portal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const main = join(root, 'dist', 'cli', 'main.js')

/** The faults of the portal of broken.yaml: one in an answer, one in a role. */
const faults = ['html-escaped-echo', 'guests-add-workspaces']
const inReport = ['terminal', 'json', 'html', 'junit', 'markdown', 'har'].join(',')

interface PreparedFolder {
  readonly path: string
  readonly remove: () => Promise<void>
}

/** Earlier results, made once and copied into every folder. */
export class EarlierResults {
  readonly #folder: string
  readonly #origins: readonly string[]

  private constructor(folder: string, origins: readonly string[]) {
    this.#folder = folder
    this.#origins = origins
  }

  /** Judges a broken portal and a conforming one. */
  static async make(): Promise<EarlierResults> {
    const user = new UserFolder()
    const portals = await portalsIn(user.path)
    const run = (words: string) => user.run(`run --runs 1 --seed 1 ${words}`)
    const broken = await run(`--config broken.yaml --operation add-workspace --reporter ${inReport}`)
    const right = await run('--config staging.yaml --out staging --reporter json,har')
    await portals.close()
    if (broken.code !== 1 || right.code !== 0)
      throw new Error([broken, right].map(({ stdout, stderr }) => stderr + stdout).join('\n'))
    const at = (name: string) => join(user.path, name)
    for (const copy of ['last-month.json', 'production/results.json', 'vendor/results.json']) {
      cpSync(at('staging/results.json'), at(copy))
    }
    const recording = acceptedOnly(readFileSync(at('staging/evidence.har'), 'utf8'))
    mkdirSync(at('recordings'))
    for (const copy of ['recording.har', 'recordings/recording.har']) writeFileSync(at(copy), recording)
    return new EarlierResults(user.path, portals.origins)
  }

  /** A folder with everything, and its own portals behind the configurations. */
  async prepare(): Promise<PreparedFolder> {
    const path = mkdtempSync(join(tmpdir(), 'portal-conformance-document-'))
    cpSync(this.#folder, path, { recursive: true })
    const portals = await portalsIn(path)
    // Waivers and replays belong to an address, so the earlier results get the address of these portals.
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(json|har|ndjson)$/.test(name)) continue
      const text = readFileSync(join(path, name), 'utf8')
      const moved = this.#origins.reduce(
        (before, origin, at) => before.replaceAll(origin, portals.origins[at] as string),
        text,
      )
      writeFileSync(join(path, name), moved)
    }
    const remove = async () => {
      await portals.close()
      rmSync(path, { recursive: true, force: true })
    }
    return { path, remove }
  }
}

/** The part of our evidence that an ordinary client would have recorded, without the probes. */
function acceptedOnly(har: string): string {
  const recording = JSON.parse(har) as {
    log: { entries: { request: { method: string }; response: { content: { text?: string } } }[] }
  }
  recording.log.entries = recording.log.entries.filter(
    ({ request, response }) =>
      request.method === 'POST' && /"success":\s*true/.test(response.content.text ?? ''),
  )
  return JSON.stringify(recording)
}

/** A folder with only the installed package. */
export function justInstalled(): PreparedFolder {
  const path = mkdtempSync(join(tmpdir(), 'portal-conformance-document-'))
  mkdirSync(join(path, 'node_modules'))
  symlinkSync(root, join(path, 'node_modules', 'portal-conformance'))
  return { path, remove: async () => rmSync(path, { recursive: true, force: true }) }
}

/** The folder of the commands, for PATH. */
interface CommandFolder {
  readonly path: string
  readonly remove: () => void
}

/** Creates the commands `portal-conformance` and `npx portal-conformance`. */
export function commandFolder(): CommandFolder {
  const path = mkdtempSync(join(tmpdir(), 'portal-conformance-bin-'))
  const command = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`
  writeFileSync(join(path, 'portal-conformance'), command, { mode: 0o755 })
  writeFileSync(join(path, 'npx'), npxScript(main), { mode: 0o755 })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

interface Portals {
  /** Of the conforming portal and the broken one. */
  readonly origins: readonly string[]
  readonly close: () => Promise<void>
}

async function portalsIn(folder: string): Promise<Portals> {
  const [right, broken] = await Promise.all([startPortal(), startPortal({ faults })])
  const write = (name: string, configuration: object) =>
    writeFileSync(join(folder, name), stringify(configuration))
  // A release without syncs, because a busy machine may be too slow to judge them.
  const { target, ...others } = right.configuration
  const timeless = { ...others, target: { ...target, version: '10.6' } }
  for (const name of ['staging.yaml', 'production.yaml', 'portal.yaml']) write(name, timeless)
  write('broken.yaml', broken.configuration)
  mkdirSync(join(folder, 'targets'), { recursive: true })
  // A release with two operations.
  write('targets/vienna.yaml', { ...timeless, target: { ...target, version: '10.4' } })
  // The least that shows a fault.
  write('targets/lima.yaml', { ...broken.configuration, effects: ['add-workspace'] })
  return {
    origins: [right, broken].map(({ baseUrl }) => new URL(baseUrl).origin),
    close: async () => void (await Promise.all([right.close(), broken.close()])),
  }
}
