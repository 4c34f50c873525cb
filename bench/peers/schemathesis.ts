/** Schemathesis: generates from the document; told the token of each operation and where fresh fixtures come from. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { casesFor } from './cases.ts'
import { documentFor } from './document.ts'
import type { Peer } from './peer.ts'

/** Requests of an operation beside the generated ones, as far as they can be foreseen: examples and coverage. */
const besides = 30

interface Report {
  readonly failures: readonly { readonly type: string; readonly operations: readonly string[] }[]
}

export const schemathesis: Peer = {
  name: 'Schemathesis',
  sends: 'generated',
  command: 'schemathesis',
  variable: 'BENCH_SCHEMATHESIS',
  async prepare({ folder, portal, requests }) {
    const cases = await casesFor(portal.configuration, 1)
    await writeFile(
      join(folder, 'openapi.json'),
      JSON.stringify(documentFor(cases, portal.baseUrl, 'generation')),
    )
    const perOperation = cases.map(
      ({ operation, copy, token }) =>
        `[[operations]]\ninclude-operation-id = "${operation}-${copy}"\nheaders = { Authorization = "Bearer ${token}" }\n`,
    )
    await writeFile(join(folder, 'schemathesis.toml'), `hooks = "fixtures.py"\n\n${perOperation.join('\n')}`)
    await writeFile(
      join(folder, 'fixtures.py'),
      hooks(
        portal.configuration.fixtures.url,
        cases
          .filter(({ operation }) => operation === 'delete-collaboration')
          .map(({ ids }) => ids.collaborationID as string),
      ),
    )
    const examples = Math.max(1, Math.round(requests / cases.length) - besides)
    return {
      words: [
        '--config-file=schemathesis.toml',
        'run',
        'openapi.json',
        `--url=${portal.baseUrl}`,
        '--checks=all',
        '--continue-on-failure',
        '--suppress-health-check=all',
        `--max-examples=${examples}`,
        '--seed=1',
        '--report=json',
        '--report-json-path=report.json',
      ],
      complaints: async () => complaintsIn(await readFile(join(folder, 'report.json'), 'utf8')),
    }
  },
}

/** A kind of failure at an operation, as the summary counts them. */
export function complaintsIn(report: string): string[] {
  const { failures } = JSON.parse(report) as Report
  return failures.flatMap(({ type, operations }) => operations.map((operation) => `${operation}: ${type}`))
}

/**
 * Every request asks for JSON. What a request uses up is replaced by a fresh fixture, unless the value is one that was
 * made to be wrong.
 */
function hooks(url: string, ids: readonly string[]): string {
  return `import json, urllib.request
import schemathesis

given = set(${JSON.stringify(ids)})

def fixture(kind, **options):
    request = urllib.request.Request("${url}/" + kind, json.dumps(options).encode(), method="POST")
    return json.loads(urllib.request.urlopen(request).read())

def renew(case):
    if case.path_parameters.get("collaborationID") in given:
        case.path_parameters["collaborationID"] = fixture("collaboration")["collaborationId"]
        given.add(case.path_parameters["collaborationID"])

@schemathesis.hook
def before_call(context, case, kwargs):
    if case.operation.method.upper() != "POST":
        return
    case.media_type = case.media_type or "application/x-www-form-urlencoded"
    case.body = {**(case.body if isinstance(case.body, dict) else {}), "f": "pjson"}
    if case.operation.path.endswith("/delete"):
        renew(case)
    items = case.body.get("items")
    # Lists of any length stay so, of items that are there and still belong to who sends them.
    if isinstance(items, list) and items and all(isinstance(each, str) for each in items):
        case.body["items"] = fixture("items", owner="itemOwner", count=len(items))["itemIds"]

@schemathesis.hook
def after_call(context, case, response):
    # What is sent again without credentials must still be there.
    if case.operation.path.endswith("/delete"):
        renew(case)
`
}
