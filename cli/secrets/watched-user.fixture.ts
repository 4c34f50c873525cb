/** A user whose every byte of output is kept, and searched for secrets. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, UserFolder } from '../end-to-end/command.fixture.ts'
import { configured } from './planted-secrets.fixture.ts'
import type { PlantingPortal } from './planting-portal.fixture.ts'

export class WatchedUser {
  readonly folder = new UserFolder()
  readonly #printed: string[] = []
  /** How much of it was looked at, and the files as they were then. */
  #seen: { readonly printed: number; readonly files: ReadonlyMap<string, string> } = {
    printed: 0,
    files: new Map(),
  }

  constructor() {
    for (const name of ['input', 'tmp']) mkdirSync(join(this.folder.path, name))
    this.input('key.pem', configured.key)
    this.input('cert.pem', configured.cert)
    this.input('ca.pem', configured.ca)
  }

  /** A file that no search looks into. */
  input(name: string, content: unknown): string {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return this.folder.write(`input/${name}`, text)
  }

  // As in GitHub Actions, where there is more that is printed and written.
  get #environment() {
    return {
      TMPDIR: join(this.folder.path, 'tmp'),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(this.folder.path, 'step-summary.md'),
    }
  }

  async #kept(ended: Promise<Ended>): Promise<Ended> {
    const end = await ended
    this.#printed.push(end.stdout, end.stderr)
    return end
  }

  /** Runs the command in this process: what it prints on the streams that it is given is all that is seen of it. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.#kept(this.folder.run(args, this.#environment))
  }

  /** Runs it in a process of its own, of which every byte is seen. */
  start(args: readonly string[]) {
    const { process, ended } = this.folder.start(args, this.#environment)
    return { process, ended: this.#kept(ended) }
  }

  /** All that was printed and written so far, with the names of the files. */
  get everything(): string {
    return [...this.#printed, ...[...this.#files()].flat()].join('\n')
  }

  /** What of it is new since the last time that this was asked: nothing needs to be searched twice. */
  takeNews(): string {
    const files = this.#files()
    const changed = [...files].filter(([name, text]) => this.#seen.files.get(name) !== text)
    const printed = this.#printed.slice(this.#seen.printed)
    this.#seen = { printed: this.#printed.length, files }
    return [...printed, ...changed.flat()].join('\n')
  }

  #files(): ReadonlyMap<string, string> {
    const { path } = this.folder
    const names = (readdirSync(path, { recursive: true }) as string[]).filter(
      (name) => !name.startsWith('input') && statSync(join(path, name)).isFile(),
    )
    return new Map(names.map((name) => [name, readFileSync(join(path, name), 'latin1')]))
  }
}

/** The configuration of the portal with the TLS files, and a certificate among the further parameters. */
export function configurationOf(portal: PlantingPortal) {
  const { contract, ...others } = structuredClone(portal.configuration)
  return {
    ...others,
    contract: {
      ...contract,
      federation: {
        certificateMarkers: { begin: '-----BEGIN CERTIFICATE-----', end: '-----END CERTIFICATE-----' },
        parameters: { signing: configured.cert },
      },
    },
    http: { key: 'key.pem', cert: 'cert.pem', ca: 'ca.pem' },
  }
}
