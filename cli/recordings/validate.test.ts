/** `validate` on what a real client and the embedded portal said to each other, and on edits of it. */
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
  const body = JSON.parse(entry.response.content.text as string)
  edit(body)
  entry.response.content.text = JSON.stringify(body)
}

function form(entry: HarEntry, edit: (form: URLSearchParams) => void): void {
  const fields = new URLSearchParams(entry.request.postData?.text)
  edit(fields)
  entry.request.postData = { mimeType: 'application/x-www-form-urlencoded', text: fields.toString() }
}

/** Edits the answer of the n-th exchange of an operation. */
const answerOf =
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are edited
  (ending: string, edit: (body: any) => unknown) => (har: Har) => answer(exchange(har, ending), edit)

/** What was changed, what fails then, and what the client did wrong. */
type Edit = readonly [what: string, edit: (har: Har) => void, failed: string[], client?: string[]]

/** What was changed in the recording of a client, and what `validate` must say of it: this and nothing else. */
const edits: readonly Edit[] = [
  [
    'a workspace of another collaboration',
    answerOf('/addWorkspace', ({ workspace }) => Object.assign(workspace, { collaborationId: 'another' })),
    ['add-workspace/collaboration-id'],
  ],
  [
    'a name that came back changed',
    answerOf('/addWorkspace', ({ workspace }) => Object.assign(workspace, { name: 'Straßen &amp; Wege' })),
    ['add-workspace/name-kept'],
  ],
  [
    'a name over the limit that was accepted',
    (har) => {
      const entry = exchange(har, '/addWorkspace', 1)
      form(entry, (fields) => fields.set('collaborationWorkspaceName', 'n'.repeat(101)))
      answer(entry, ({ workspace }) => Object.assign(workspace, { name: 'n'.repeat(101) }))
    },
    ['add-workspace/name-limit-rejects'],
  ],
  [
    'an id that two workspaces have',
    (har) => {
      const { workspace: first } = JSON.parse(exchange(har, '/addWorkspace').response.content.text as string)
      answer(exchange(har, '/addWorkspace', 1), ({ workspace }) => Object.assign(workspace, { id: first.id }))
    },
    ['add-workspace/id-is-new'],
  ],
  [
    'task and run swapped',
    answerOf('/update', (body) => Object.assign(body, { taskId: body.runId, runId: body.taskId })),
    ['update-task-run/identifiers'],
  ],
  [
    'success as a text',
    answerOf('/sync', (body) => Object.assign(body, { success: 'true' })),
    ['protocol/success-boolean'],
  ],
  [
    'an entry of the error without its owner',
    answerOf('/reassignItems', ({ error }) => delete error.details[1].owner),
    ['reassign-items/error-details-fields'],
  ],
  [
    'an error about items that no one asked for',
    answerOf('/reassignItems', ({ error: { details } }) => Object.assign(details[0], { itemId: 'another' })),
    ['reassign-items/error-details-items'],
  ],
  [
    'a run that was updated without a status',
    (har) => form(exchange(har, '/update'), (fields) => fields.delete('status')),
    ['update-task-run/status-required'],
    ['client/required-parameter'],
  ],
  [
    'an operation asked for by PUT, and refused',
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

function with_(outcome: string, { requirements }: Results): string[] {
  return requirements.filter((each) => each.outcome === outcome).map(({ id }) => id)
}

const findings = ({ run }: Results): string[] =>
  (run.traffic?.client ?? []).filter(({ level }) => level === 'finding').map(({ id }) => id)

test('the traffic of the JavaScript client is accepted, and shows what it can', async () => {
  const { code, out, err, read } = await validate(recorded.har)
  const results = read()
  expect(with_('failed', results)).toEqual([])
  expect(findings(results)).toEqual([])
  expect(code).toBe(0)
  expect(results).toMatchObject({
    target: { baseUrl: recorded.baseUrl, profile: 'none' },
    run: { seed: 0, runs: 0, requests: 0, traffic: { recordings: 1, exchanges: 10 } },
    verdict: 'incomplete',
    complete: true,
  })
  expect(Object.keys(results.run.traffic?.operations ?? {})).toHaveLength(7)
  expect(with_('passed', results)).toEqual(
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

test.for(edits)('refused for exactly this: %s', async ([, edit, failed, client = []]) => {
  const har = structuredClone(recorded.har)
  edit(har)
  const { code, out, read } = await validate(har)
  const results = read()
  expect(with_('failed', results)).toEqual(failed)
  expect(findings(results)).toEqual(client)
  expect(code).toBe(1)
  for (const id of [...failed, ...client]) expect(out).toContain(id)
  const evidence = results.requirements.flatMap(({ checks }) =>
    checks.filter(({ outcome }) => outcome === 'failed').flatMap((check) => check.evidence ?? []),
  )
  expect(evidence.length >= failed.length).toBe(true)
  for (const secret of recorded.secrets) expect(out + JSON.stringify(results)).not.toContain(secret)
})

test('the evidence of a report is a recording too', async () => {
  const har = structuredClone(recorded.har)
  const [, edit, failed] = edits.find(([what]) => what === 'task and run swapped')!
  edit(har)
  const first = await validate(har, '--reporter', 'har')
  const evidence = first.out.trim()
  expect(evidence).toMatch(/evidence\.har$/)
  const { code, read } = await judged([evidence], join(testFolder(), 'out'))
  expect([code, with_('failed', read())]).toEqual([1, failed])
})

test('folders are read at every depth, what two recordings hold counts once', async () => {
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
    reason: 'an exchange that was recorded twice',
    count: 10,
  })
})

test('without any of the operations nothing is proved: 3', async () => {
  const har = structuredClone(recorded.har)
  har.log.entries = har.log.entries.filter(({ request }) => request.url.endsWith('/generateToken'))
  expect(har.log.entries.length).toBeGreaterThan(0)
  const { code, err, read } = await validate(har)
  expect([code, read().verdict]).toEqual([3, 'incomplete'])
  expect(err).toContain('none of the seven operations is in the recordings')
})

test('without the bodies of answers nothing is judged: 3', async () => {
  const har = structuredClone(recorded.har)
  for (const { response } of har.log.entries) response.content.text = undefined
  const { code, err } = await validate(har)
  expect(code).toBe(3)
  expect(err).toContain(
    'none has an answer that can be judged: the recording holds no body of the answer (10)',
  )
})

test.each([
  ['{"log": {"entries": [', /recording\.har: is not JSON \(.*\); save the recording again/],
  ['', /recording\.har: is empty/],
  ['[]', /recording\.har: is no HAR file: it has no object log/],
  ['{"log": {"version": "2.0", "entries": []}}', /is HAR of version "2\.0"; 1\.1 and 1\.2 are read/],
  ['{"log": {"entries": {}}}', /log\.entries is no array/],
])('what is no recording is a usage error: %j', async (text, message) => {
  const { code, err, out } = await validate(text)
  expect(err).toMatch(message)
  expect([code, out]).toEqual([2, ''])
})

/** An answer that a public client repairs: a comma before the last brace. */
function withTrailingComma(har: Har): Har {
  const { content } = (har.log.entries.find(isOfFederation) as HarEntry).response
  content.text = (content.text as string).replace(/\s*\}\s*$/, ',}')
  return har
}

const isOfFederation = ({ request }: HarEntry): boolean => /\/federation\/\w+\/update$/.test(request.url)

test('malformed JSON is a finding with f=json too, where the profile says that it asks for JSON', async () => {
  const har = withTrailingComma(structuredClone(recorded.har))
  const { code, read } = await validate(har, '--profile', 'arcgis')
  expect([code, with_('failed', read())]).toEqual([1, ['protocol/json-format']])
  const found = read().requirements.find(({ id }) => id === 'protocol/json-format')?.checks
  const failure = found?.find(({ outcome }) => outcome === 'failed')?.failure
  expect(failure).toMatchObject({
    expected: ['with f=json, one JSON object in UTF-8'],
    actual: expect.stringMatching(/; known: some answers of identity-provider updates end with ",}"/),
    repeat: expect.stringMatching(/ --profile arcgis$/),
  })
  expect(read().target.profile).toBe('arcgis')
})

test('without a profile such an answer is not judged, and that is said', async () => {
  const { code, read } = await validate(withTrailingComma(structuredClone(recorded.har)))
  expect([code, with_('failed', read())]).toEqual([0, []])
  expect(read().run.traffic?.leftOut).toContainEqual({
    reason: expect.stringMatching(/^the answer is no JSON object, and no profile says that f=json asks/),
    count: 1,
  })
})

test.each([502, 504])('a time-out with code %i in the body is neither accepted nor refused', async (code) => {
  const har = structuredClone(recorded.har)
  const entry = exchange(har, '/sync')
  const error = { code, message: 'Your request has timed out.', details: [] }
  entry.response.content.text = JSON.stringify({ error })
  const { read } = await validate(har)
  expect(with_('failed', read())).toEqual([])
  expect(read().run.traffic?.leftOut).toContainEqual({
    reason: `the request was throttled or timed out (HTTP 200 with error code ${code}); the target may have carried it out`,
    count: 1,
  })
})
