/** Portman: makes a Postman collection with contract tests of the document, and runs it with Newman. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { casesFor, fieldsOf } from './cases.ts'
import { documentFor } from './document.ts'
import { copiesFor } from './example-cases.ts'
import type { Peer } from './peer.ts'

interface NewmanReport {
  readonly run: {
    readonly failures: readonly {
      readonly source: { readonly name?: string }
      readonly error: { readonly name: string; readonly test?: string }
    }[]
  }
}

const contractTests = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation']

const newmanOptions = { bail: false, reporters: ['json'], reporter: { json: { export: 'newman.json' } } }

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
      complaints: async () => complaintsIn(await readFile(join(folder, 'newman.json'), 'utf8')),
    }
  },
}

/** The request, without its number, and the test that failed. */
export function complaintsIn(report: string): string[] {
  const { run } = JSON.parse(report) as NewmanReport
  return run.failures.map(({ source, error }) => {
    const request = (source.name ?? 'elsewhere').replace(/ \d+$/, '')
    return `${request}: ${error.test?.split(' - ').at(-1) ?? error.name}`
  })
}
