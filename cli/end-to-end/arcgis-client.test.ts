import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { contentsOf, writtenFor } from '../../deployment/administration/administered.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'

const script = fileURLToPath(new URL('../../examples/arcgis-client/try_client.py', import.meta.url))
const python = process.env.PYTHON ?? 'python3'

/** The client is large, so the test runs only if it is installed. */
function hasClient(): boolean {
  try {
    execFileSync(python, ['-c', 'import yaml, arcgis.gis'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(!hasClient())(
  'the ArcGIS Python client works on the embedded portal, and removes everything it creates',
  async () => {
    const portal = await testPortal({ tls: true })
    const folder = testFolder()
    const file = join(folder, 'portal.yaml')
    writeFileSync(file, stringify(writtenFor(portal)))
    const before = contentsOf(portal)
    const client = spawn(python, [script, file], { env: { ...process.env, TMPDIR: folder } })
    let output = ''
    for (const stream of [client.stdout, client.stderr]) stream.on('data', (text) => (output += text))
    const [code] = await once(client, 'close')
    expect([code, output]).toEqual([0, expect.stringContaining('The client works.')])
    expect(contentsOf(portal)).toEqual(before)
  },
)
