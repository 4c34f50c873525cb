/** Edits of a recording of the JavaScript client, each with the one thing that is wrong afterwards. */
import type { Har, HarEntry } from './recorded-client.fixture.ts'

/** The n-th exchange of an operation, told by the end of its path. */
function exchange(har: Har, ending: string, which = 0): HarEntry {
  return har.log.entries.filter(({ request }) => request.url.endsWith(ending))[which] as HarEntry
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are edited
function answer(entry: HarEntry, edit: (body: any) => void): void {
  const body = JSON.parse(entry.response.content.text as string)
  edit(body)
  entry.response.content.text = JSON.stringify(body)
}

function form(entry: HarEntry, edit: (form: URLSearchParams) => void): void {
  const fields = new URLSearchParams(entry.request.postData?.text)
  edit(fields)
  entry.request.postData = { mimeType: 'application/x-www-form-urlencoded', text: fields.toString() }
}

interface Edit {
  readonly what: string
  readonly edit: (har: Har) => void
  readonly failed: readonly string[]
  readonly client?: readonly string[]
}

/** What was changed in the recording of a client, and what `validate` must say of it: this and nothing else. */
export const edits: readonly Edit[] = [
  {
    what: 'a workspace of another collaboration',
    edit: (har) =>
      answer(exchange(har, '/addWorkspace'), (body) => {
        body.workspace.collaborationId = 'another'
      }),
    failed: ['add-workspace/collaboration-id'],
  },
  {
    what: 'times in seconds',
    edit: (har) =>
      answer(exchange(har, '/addWorkspace'), (body) => {
        body.workspace.created = Math.floor(body.workspace.created / 1000)
        body.workspace.modified = body.workspace.created
      }),
    failed: ['add-workspace/timestamps'],
  },
  {
    what: 'a name that came back changed',
    edit: (har) =>
      answer(exchange(har, '/addWorkspace'), (body) => {
        body.workspace.name = 'Straßen &amp; Wege'
      }),
    failed: ['add-workspace/name-kept'],
  },
  {
    what: 'a name over the limit that was accepted',
    edit: (har) => {
      const entry = exchange(har, '/addWorkspace', 1)
      form(entry, (fields) => fields.set('collaborationWorkspaceName', 'n'.repeat(101)))
      answer(entry, (body) => {
        body.workspace.name = 'n'.repeat(101)
      })
    },
    failed: ['add-workspace/name-limit-rejects'],
  },
  {
    what: 'a size in the config that is text',
    edit: (har) =>
      answer(exchange(har, '/addWorkspace'), (body) => {
        body.workspace.config.maxItemSizeInMB = '100'
      }),
    failed: ['add-workspace/config-fields'],
  },
  {
    what: 'an id that two workspaces have',
    edit: (har) => {
      const first = JSON.parse(exchange(har, '/addWorkspace').response.content.text as string)
      answer(exchange(har, '/addWorkspace', 1), (body) => {
        body.workspace.id = first.workspace.id
      })
    },
    failed: ['add-workspace/id-is-new'],
  },
  {
    what: 'task and run swapped',
    edit: (har) =>
      answer(exchange(har, '/update'), (body) => {
        ;[body.taskId, body.runId] = [body.runId, body.taskId]
      }),
    failed: ['update-task-run/identifiers'],
  },
  {
    what: 'success as a text',
    edit: (har) =>
      answer(exchange(har, '/sync'), (body) => {
        body.success = 'true'
      }),
    failed: ['protocol/success-boolean'],
  },
  {
    what: 'an entry of the error without its owner',
    edit: (har) =>
      answer(exchange(har, '/reassignItems'), (body) => {
        delete body.error.details[1].owner
      }),
    failed: ['reassign-items/error-details-fields'],
  },
  {
    what: 'an error code that is text',
    edit: (har) =>
      answer(exchange(har, '/reassignItems'), (body) => {
        body.error.code = '403'
      }),
    failed: ['reassign-items/error-shape'],
  },
  {
    what: 'an error about items that nobody asked for',
    edit: (har) =>
      answer(exchange(har, '/reassignItems'), (body) => {
        body.error.details[0].itemId = 'another'
      }),
    failed: ['reassign-items/error-details-items'],
  },
  {
    what: 'a run that was updated without a status',
    edit: (har) => form(exchange(har, '/update'), (fields) => fields.delete('status')),
    failed: ['update-task-run/status-required'],
    client: ['client/required-parameter'],
  },
  {
    what: 'an operation asked for by PUT, and refused',
    edit: (har) => {
      const entry = exchange(har, '/delete')
      entry.request.method = 'PUT'
      entry.response.content.text = '{"error":{"code":405,"message":"Method not allowed.","details":[]}}'
    },
    failed: [],
    client: ['client/method'],
  },
]
