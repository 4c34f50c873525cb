/** Pods of the examples for clusters: their text is held against the published schema, their containers run here. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Ended } from '../end-to-end/command.fixture.ts'
import { configurationOf, type PipelineSetting, shipped } from './pipeline.fixture.ts'

export interface Container {
  readonly command: readonly string[]
  readonly args: readonly [string]
  readonly volumeMounts: readonly { readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
}

export const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(shipped(file)).map((document) => document.toJS())

/** What that schema has against a document; unknown keys are among it. */
export function problemsOf(schema: object, document: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const fits = ajv.compile(schema)
  return fits(document)
    ? []
    : (fits.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )
}

/** The mounts of a pod that it may write. */
export const writable = ({ volumeMounts }: Container): string[] =>
  volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath)

/** Volumes as folders of this machine: three targets; one cannot be reached and one is broken. */
export function volumes({ good, bad }: PipelineSetting): string {
  const folder = mkdtempSync(join(tmpdir(), 'pc-cluster-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const mount of ['targets', 'results']) mkdirSync(join(folder, mount))
  const dead = configurationOf(good).replaceAll(new URL(good.baseUrl).host, '127.0.0.1:1')
  const targets = { dead, lima: configurationOf(bad), vienna: configurationOf(good) }
  for (const [name, text] of Object.entries(targets))
    writeFileSync(join(folder, 'targets', `${name}.yaml`), text)
  return folder
}

/** Runs a container: its mounts are folders in that one. */
export function runContainer(
  { command, args, volumeMounts }: Container,
  folder: string,
  { checkout }: PipelineSetting,
  environment: Record<string, string> = {},
): Promise<Ended> {
  // What the image has in that place, this machine has on its path.
  const installed = args[0].replaceAll('node /opt/portal-conformance/dist/cli/main.js', 'portal-conformance')
  const mounts = new RegExp(` (${volumeMounts.map(({ mountPath }) => mountPath).join('|')})(?=[ /]|$)`, 'g')
  const script = installed.replace(mounts, (_, mountPath: string) => ` ${join(folder, mountPath)}`)
  return checkout.shell(script, {
    shell: [...command],
    environment,
    first: [join(checkout.path, 'node_modules', '.bin')],
  })
}
