/** Dredd: sends the example of every operation; a hook gives each its token and its form. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { casesFor, fieldsOf } from './cases.ts'
import { documentFor } from './document.ts'
import { copiesFor, operationAt } from './example-cases.ts'
import type { Peer } from './peer.ts'

export const dredd: Peer = {
  name: 'Dredd',
  sends: 'examples',
  command: 'dredd',
  variable: 'BENCH_DREDD',
  async prepare({ folder, portal, requests }) {
    const cases = await casesFor(portal.configuration, copiesFor(requests))
    await writeFile(
      join(folder, 'openapi.json'),
      JSON.stringify(documentFor(cases, portal.baseUrl, 'examples')),
    )
    const { pathname } = new URL(portal.baseUrl)
    const sent = cases.map((each) => [
      pathname + each.path,
      { token: each.token, body: String(new URLSearchParams(fieldsOf(each))) },
    ])
    await writeFile(join(folder, 'hooks.js'), hooks(Object.fromEntries(sent)))
    return {
      words: ['openapi.json', portal.baseUrl, '--hookfiles=hooks.js', '--no-color', '--loglevel=error'],
      complaints: async ({ output }) => complaintsIn(output, cases),
    }
  },
}

/** The operation and the parts of its answer that were not as expected. */
export function complaintsIn(output: string, cases: Parameters<typeof operationAt>[1]): string[] {
  const complaints: string[] = []
  let operation = ''
  for (const line of output.split('\n')) {
    const failed = /^(?:fail|error): POST \(\d+\) (\S+)/.exec(line)
    if (failed !== null) operation = operationAt(failed[1] as string, cases)
    const part = /^(?:fail: )?(headers|body|statusCode): (?!\d)\S/.exec(line)
    if (part !== null && operation !== '') complaints.push(`${operation}: ${part[1]}`)
    else if (failed !== null) complaints.push(`${operation}: failed`)
  }
  return complaints
}

function hooks(sent: object): string {
  return `const sent = ${JSON.stringify(sent)}
require('hooks').beforeEach((transaction, done) => {
  const { token, body } = sent[transaction.fullPath]
  transaction.request.headers.Authorization = 'Bearer ' + token
  transaction.request.body = body
  // Compared to the letter, which a charset fails.
  transaction.expected.headers['Content-Type'] = 'application/json;charset=utf-8'
  done()
})
`
}
