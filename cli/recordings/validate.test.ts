/** `validate` on recorded traffic of a real client with the embedded portal, and on edited copies. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Results } from '../../reporters/results.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { type Har, type HarEntry, type RecordedClient, recordClient } from './recorded-client.fixture.ts'

/** The n-th exchange of an operation, recognized by the end of its path. */
function exchange(har: Har, ending: string, which = 0): HarEntry {
  return har.log.entries.filter(({ request }) => request.url.endsWith(ending))[which] as HarEntry
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are edited
function answer(entry: HarEntry, edit: (body: any) => unknown): void {
  const body = JSON.parse(entry.response.content.text)
  edit(body)
  entry.response.content.text = JSON.stringify(body)
}

/** Edits the answer of the n-th exchange of an operation. */
const answerOf =
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are edited
  (ending: string, edit: (body: any) => unknown) => (har: Har) => answer(exchange(har, ending), edit)

/** An edit, the requirements that fail then, and the findings about the client. */
type Edit = readonly [what: string, edit: (har: Har) => void, failed: string[], client?: string[]]

/** Edits of the recording, each with exactly the findings that `validate` must report. */
const edits: readonly Edit[] = [
  [
    'a changed name',
    answerOf('/addWorkspace', ({ workspace }) => Object.assign(workspace, { name: 'Straßen &amp; Wege' })),
    ['add-workspace/name-kept'],
  ],
  [
    'two workspaces with one id',
    (har) => {
      const { workspace: first } = JSON.parse(exchange(har, '/addWorkspace').response.content.text)
      answer(exchange(har, '/addWorkspace', 1), ({ workspace }) => Object.assign(workspace, { id: first.id }))
    },
    ['add-workspace/id-is-new'],
  ],
  [
    'swapped ids of task and run',
    answerOf('/update', (body) => Object.assign(body, { taskId: body.runId, runId: body.taskId })),
    ['update-task-run/identifiers'],
  ],
  [
    'an error detail about an item outside the request',
    answerOf('/reassignItems', ({ error: { details } }) => Object.assign(details[0], { itemId: 'another' })),
    ['reassign-items/error-details-items'],
  ],
  [
    'an operation requested by PUT, and refused',
    (har) => {
      const entry = exchange(har, '/delete')
      entry.request.method = 'PUT'
      entry.response.content.text = '{"error":{"code":405,"message":"Method not allowed.","details":[]}}'
    },
    [],
    ['client/method'],
  ],
]

let recorded: RecordedClient

beforeAll(async () => {
  recorded = await recordClient()
})

/** Judges a recording through the command line. */
async function validate(har: unknown, ...words: string[]) {
  const directory = testFolder()
  const file = join(directory, 'recording.har')
  writeFileSync(file, typeof har === 'string' ? har : JSON.stringify(har))
  return { ...(await judged([file, ...words], join(directory, 'out'))), file }
}

async function judged(words: readonly string[], out: string) {
  return { ...(await command('validate', ...words, '--out', out)), read: () => resultsIn(out) }
}

function idsWith(outcome: string, { requirements }: Results): string[] {
  return requirements.filter((each) => each.outcome === outcome).map(({ id }) => id)
}

const findings = ({ run }: Results): string[] =>
  (run.traffic?.client ?? []).filter(({ level }) => level === 'finding').map(({ id }) => id)

test('validate finds nothing wrong in the traffic of the JavaScript client, and passes what it shows', async () => {
  const { code, out, err, read } = await validate(recorded.har)
  const results = read()
  expect(idsWith('failed', results)).toEqual([])
  expect(findings(results)).toEqual([])
  expect(code).toBe(0)
  expect(results).toMatchObject({
    target: { baseUrl: recorded.baseUrl, profile: 'none' },
    run: { seed: 0, runs: 0, requests: 0, traffic: { recordings: 1, exchanges: 10 } },
    verdict: 'incomplete',
    complete: true,
  })
  expect(Object.keys(results.run.traffic?.operations ?? {})).toHaveLength(7)
  expect(idsWith('passed', results)).toEqual(
    expect.arrayContaining([
      'protocol/form-post',
      'protocol/success-boolean',
      'add-workspace/creates',
      'add-workspace/collaboration-id',
      'add-workspace/id-is-new',
      'add-workspace/name-kept',
      'add-workspace/name-limit-accepts',
      'add-workspace/timestamps',
      'update-task-run/identifiers',
      'update-task-run/result-empty',
      'reassign-items/ineligible-target',
      'reassign-items/error-details-items',
      'reassign-items/ineligible-target-keeps-owner',
      'sync-workspace/starts',
      'update-participant/identifiers',
      'delete-collaboration/deletes',
      'update-federation/identifier',
    ]),
  )
  const guest = results.requirements.find(({ id }) => id === 'add-workspace/refuses-guest')
  expect(guest).toMatchObject({ outcome: 'not-tested', reason: 'recorded traffic cannot show it' })
  expect(out).toContain(`10 exchanges: under ${recorded.baseUrl}`)
  for (const secret of recorded.secrets) expect(out + err + JSON.stringify(results)).not.toContain(secret)
})

test('mistakes in the evidence of a run are no findings about a client', async () => {
  const har = structuredClone(recorded.har)
  const entry = exchange(har, '/delete')
  entry.request.method = 'PUT'
  entry.response.content.text = '{"error":{"code":405,"message":"Method not allowed.","details":[]}}'
  const { code, read } = await validate({
    log: { ...har.log, entries: [{ ...entry, _actor: 'hostAdministrator' }] },
  })
  expect([code, findings(read())]).toEqual([0, []])
})

test.for(edits)('validate reports exactly one problem: %s', async ([, edit, failed, client = []]) => {
  const har = structuredClone(recorded.har)
  edit(har)
  const { code, out, read } = await validate(har)
  const results = read()
  expect(idsWith('failed', results)).toEqual(failed)
  expect(findings(results)).toEqual(client)
  expect(code).toBe(1)
  for (const id of [...failed, ...client]) expect(out).toContain(id)
  const evidence = results.requirements.flatMap(({ checks }) =>
    checks.filter(({ outcome }) => outcome === 'failed').flatMap((check) => check.evidence ?? []),
  )
  expect(evidence.length >= failed.length).toBe(true)
  for (const secret of recorded.secrets) expect(out + JSON.stringify(results)).not.toContain(secret)
})

test('validate accepts the evidence of a report as recording', async () => {
  const har = structuredClone(recorded.har)
  const [, edit, failed] = edits.find(([what]) => what === 'swapped ids of task and run')!
  edit(har)
  const first = await validate(har, '--reporter', 'har')
  const evidence = first.out.trim()
  expect(evidence).toMatch(/evidence\.har$/)
  const { code, read } = await judged([evidence], join(testFolder(), 'out'))
  expect([code, idsWith('failed', read())]).toEqual([1, failed])
})

test('validate reads folders recursively, and counts an exchange in two recordings once', async () => {
  const directory = testFolder()
  mkdirSync(join(directory, 'deep', 'er'), { recursive: true })
  for (const place of ['one.har', 'deep/er/two.HAR']) {
    writeFileSync(join(directory, place), JSON.stringify(recorded.har))
  }
  writeFileSync(join(directory, 'notes.txt'), 'no recording')
  const { code, read } = await judged([directory, '--reporter', 'json'], join(directory, 'out'))
  expect(code).toBe(0)
  expect(read().run.traffic).toMatchObject({ recordings: 2, exchanges: 10 })
  expect(read().run.traffic?.leftOut).toContainEqual({
    reason: 'recorded twice',
    count: 10,
  })
})

test('validate exits with 3 if the recording has none of the operations', async () => {
  const har = structuredClone(recorded.har)
  har.log.entries = har.log.entries.filter(({ request }) => request.url.endsWith('/generateToken'))
  expect(har.log.entries.length).toBeGreaterThan(0)
  const { code, err, read } = await validate(har)
  expect([code, read().verdict]).toEqual([3, 'incomplete'])
  expect(err).toContain('none of the seven operations is in the recordings')
})

test.each([
  ['{"log": {"entries": [', /recording\.har: is not JSON \(.*\); save the recording again/],
  ['', /recording\.har: is empty/],
  ['[]', /recording\.har: is no HAR file: it has no object log/],
  ['{"log": {"version": "2.0", "entries": []}}', /is HAR of version "2\.0"; 1\.1 and 1\.2 are read/],
  ['{"log": {"entries": {}}}', /log\.entries is no array/],
])('validate exits with 2 for a file that is no recording: %j', async (text, message) => {
  const { code, err, out } = await validate(text)
  expect(err).toMatch(message)
  expect([code, out]).toEqual([2, ''])
})

/** Adds a comma before the last brace of an answer, a mistake that a public client repairs. */
function withTrailingComma(har: Har): Har {
  const { content } = (har.log.entries.find(isOfFederation) as HarEntry).response
  content.text = content.text.replace(/\s*\}\s*$/, ',}')
  return har
}

const isOfFederation = ({ request }: HarEntry): boolean => /\/federation\/\w+\/update$/.test(request.url)

test('validate fails malformed JSON with f=json if the profile has f=json as a JSON format', async () => {
  const har = withTrailingComma(structuredClone(recorded.har))
  const { code, read } = await validate(har, '--profile', 'arcgis')
  expect([code, idsWith('failed', read())]).toEqual([1, ['protocol/json-format']])
  const found = read().requirements.find(({ id }) => id === 'protocol/json-format')?.checks
  const failure = found?.find(({ outcome }) => outcome === 'failed')?.failure
  expect(failure).toMatchObject({
    expected: ['with f=json, one JSON object in UTF-8'],
    actual: expect.stringMatching(/; known: some answers of identity-provider updates end with ",}"/),
    repeat: expect.stringMatching(/ --profile arcgis$/),
  })
  expect(read().target.profile).toBe('arcgis')
})
