/** Portman: makes a Postman collection with contract tests of the document, and runs it with Newman. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { casesFor, fieldsOf } from './cases.ts'
import { documentFor } from './document.ts'
import { copiesFor, operationAt } from './example-cases.ts'
import type { Peer } from './peer.ts'

const contractTests = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation']

/** No failure ends the run, and the report of Newman itself, which would hide what Portman says, is left out. */
const newmanOptions = { bail: false, reporters: [] }

export const portman: Peer = {
  name: 'Portman',
  sends: 'examples',
  command: 'portman',
  variable: 'BENCH_PORTMAN',
  async prepare({ folder, portal, requests }) {
    const cases = await casesFor(portal.configuration, copiesFor(requests))
    await writeFile(
      join(folder, 'openapi.json'),
      JSON.stringify(documentFor(cases, portal.baseUrl, 'examples')),
    )
    const overwrites = cases.map((each) => ({
      openApiOperationId: `${each.operation}-${each.copy}`,
      overwriteRequestHeaders: [
        { key: 'Authorization', value: `Bearer ${each.token}`, insert: true, overwrite: true },
      ],
      overwriteRequestBody: Object.entries(fieldsOf(each)).map(([key, value]) => ({
        key,
        value,
        overwrite: true,
      })),
    }))
    const tests = contractTests.map((test) => ({ openApiOperation: '*::/**', [test]: { enabled: true } }))
    const configuration = { version: 1, tests: { contractTests: tests }, overwrites, globals: {} }
    await writeFile(join(folder, 'portman.json'), JSON.stringify(configuration))
    return {
      words: [
        '--local=openapi.json',
        `--baseUrl=${portal.baseUrl}`,
        '--portmanConfigFile=portman.json',
        '--output=collection.json',
        '--runNewman=true',
        `--newmanRunOptions=${JSON.stringify(newmanOptions)}`,
      ],
      complaints: async ({ output }) => complaintsIn(output, cases),
    }
  },
}

/** The operation and the test that failed. Throws where Portman says neither that all passed nor what failed. */
export function complaintsIn(output: string, cases: Parameters<typeof operationAt>[1]): string[] {
  if (output.includes('Collection run completed.')) return []
  const failed = output.split('Newman run failed with:')[1]
  if (failed === undefined) throw new Error('Portman did not say how the run went')
  return [...failed.matchAll(/\[POST\]::(\S+) - ([^,\n]+)/g)].map(
    ([, path, test]) => `${operationAt(path as string, cases)}: ${test?.trim()}`,
  )
}
