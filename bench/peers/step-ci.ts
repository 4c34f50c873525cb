/** Step CI: runs the workflow that it generates from the document, with a token for each step. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { type Case, casesFor, fieldsOf } from './cases.ts'
import { documentFor } from './document.ts'
import { copiesFor } from './example-cases.ts'
import type { Peer } from './peer.ts'
import { runTool } from './tool-process.ts'

interface Step {
  readonly id: string
  readonly http: { readonly headers: Record<string, string>; form: Record<string, string> }
}

export interface Workflow {
  readonly tests: Record<string, { readonly name: string; readonly steps: readonly Step[] }>
}

export const stepCi: Peer = {
  name: 'Step CI',
  sends: 'examples',
  command: 'stepci',
  variable: 'BENCH_STEPCI',
  async prepare({ folder, portal, requests, program }) {
    const cases = await casesFor(portal.configuration, copiesFor(requests))
    await writeFile(
      join(folder, 'openapi.json'),
      JSON.stringify(documentFor(cases, portal.baseUrl, 'examples')),
    )
    // Its own examples would be compared to the letter, ids and times with them.
    const end = await runTool(
      [...program, 'generate', 'openapi.json', 'workflow.yml', '--checkExamples=false'],
      folder,
    )
    if (end.code !== 0) throw new Error(`Step CI generated no workflow: ${end.output}`)
    const file = join(folder, 'workflow.yml')
    await writeFile(file, stringify(withTokens(parse(await readFile(file, 'utf8')) as Workflow, cases)))
    return {
      words: ['run', 'workflow.yml'],
      complaints: async ({ output }) => complaintsIn(output),
    }
  },
}

/** A test of its own for each step: otherwise the first failure would skip what follows. */
export function withTokens(workflow: Workflow, cases: readonly Case[]): Workflow {
  const steps = Object.values(workflow.tests).flatMap((test) => test.steps)
  const tests = steps.flatMap((step): [string, Workflow['tests'][string]][] => {
    const known = cases.find(({ operation, copy }) => step.id === `${operation}-${copy}`)
    if (known === undefined) return []
    step.http.headers.Authorization = `Bearer ${known.token}`
    step.http.form = fieldsOf(known)
    return [[step.id, { name: step.id, steps: [step] }]]
  })
  return { ...workflow, tests: Object.fromEntries(tests) }
}

/** The operation and the checks of its step that failed. */
export function complaintsIn(output: string): string[] {
  const complaints: string[] = []
  let operation = ''
  for (const line of output.split('\n')) {
    const failed = /^ FAIL {2}(\S+)-\d+ /.exec(line)
    if (failed !== null) operation = failed[1] as string
    if (/^ PASS /.test(line)) operation = ''
    const check = /^✕ (.+)$/.exec(line.trimEnd())
    if (operation === '') continue
    if (check !== null) complaints.push(`${operation}: ${check[1]}`)
    else if (failed !== null) complaints.push(`${operation}: failed`)
  }
  return complaints
}
