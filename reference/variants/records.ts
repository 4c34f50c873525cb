/** Other ids, times, texts and fields in what is answered. */
import { randomInt, randomUUID } from 'node:crypto'
import { operations } from '../../specs/operations.ts'
import { around, changeAccepted, changeView, refuseWhen, replacing, wrapping } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Answer } from '../parts.ts'
import { type Opening, variantsOf } from './variant.ts'

/** The same value with fields that nobody defined, and with all fields in reverse order. */
function embellish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(embellish)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, each]) => [name, embellish(each)])
  return Object.fromEntries([['_links', { self: null }], ...fields.reverse(), ['revision', 7]])
}

/** The same value with those ids in upper case. */
function inUpperCase(value: unknown, ids: readonly string[]): unknown {
  if (typeof value === 'string') return ids.includes(value) ? value.toUpperCase() : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => inUpperCase(each, ids))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inUpperCase(each, ids)]))
}

/** Such an id may be that of a run of another task as well. */
const countedRuns: Opening = {
  requirements: ['update-task-run/run-of-task'],
  because: /^the ids of (?:runs|tasks) seem to be counts/,
}

export const recordVariants = variantsOf({
  'numeric-ids': {
    sentence: 'Ids are numbers, written as strings.',
    alter(parts) {
      let last = randomInt(1_000_000, 9_000_000)
      parts.newId = () => String(++last)
    },
  },
  'uuid-ids': {
    sentence: 'Ids are UUIDs.',
    alter: replacing({ newId: () => randomUUID() }),
  },
  'odd-ids': {
    sentence: 'Ids hold spaces, letters beyond ASCII, and characters that addresses reserve.',
    alter: replacing({ newId: () => `wks:é+1 ~@%41;${randomUUID().slice(0, 13)}` }),
  },
  'short-ids': {
    sentence: 'Ids count from 1, for each kind of thing.',
    may: { 'not-applicable': countedRuns },
    alter(parts) {
      const last = new Map<string, number>()
      parts.newId = (kind) => {
        const next = (last.get(kind) ?? 0) + 1
        last.set(kind, next)
        return String(next)
      }
    },
  },
  'runs-count-in-their-task': {
    sentence: 'The runs of each task count from 1.',
    alter: wrapping(
      'newId',
      (newId) =>
        // A fixture is the first run of a task of its own.
        (kind) =>
          kind === 'run' ? '1' : newId(kind),
    ),
  },
  'first-workspace-has-id-of-collaboration': {
    sentence: 'The first workspace of a collaboration has the id of the collaboration.',
    alter: wrapping(
      'newId',
      (newId) => (kind, within) => (within?.workspaces.size === 0 ? within.id : newId(kind, within)),
    ),
  },
  'ids-echoed-in-upper-case': {
    sentence: 'Ids are hex digits of either case, and are answered in upper case whatever the path has.',
    alter(parts) {
      parts.newId = () => randomUUID().replaceAll('-', '')
      for (const { id } of operations) {
        around(id, async (call, honest) => {
          const asked = Object.entries(call.params).filter(([name]) => name.endsWith('ID'))
          const ids = Object.fromEntries(asked.map(([name, value]) => [name, value.toLowerCase()]))
          const answer = await honest({ ...call, params: { ...call.params, ...ids } })
          if (answer.refused !== undefined) return answer
          return { ...answer, body: inUpperCase(answer.body, Object.values(ids)) as Answer['body'] }
        })(parts)
      }
    },
  },
  'error-null': {
    sentence: 'Beside success, accepted answers hold an error that is null.',
    alter(parts) {
      for (const { id } of operations) changeAccepted(id, () => ({ error: null }))(parts)
    },
  },
  'extra-fields': {
    sentence: 'Answers hold further fields, and their fields come in another order.',
    alter: wrapping(
      'render',
      (honest) => (answer, arrival) =>
        honest({ ...answer, body: embellish(answer.body) as Answer['body'] }, arrival),
    ),
  },
  'clock-behind': {
    sentence: 'The clock of the portal is a minute behind.',
    alter: replacing({ now: () => Date.now() - 60_000 }),
  },
  'clock-of-whole-minutes': {
    sentence: 'The clock of the portal tells whole minutes.',
    alter: replacing({ now: () => Math.floor(Date.now() / 60_000) * 60_000 }),
  },
  'clocks-of-two-nodes': {
    sentence: 'Two nodes answer by turns, and the clock of one of them is nine hours behind.',
    alter(parts) {
      let answers = 0
      changeView(({ created, modified }) => {
        const behindMs = answers++ % 2 === 0 ? 0 : 9 * 3_600_000
        return { created: created - behindMs, modified: modified - behindMs }
      })(parts)
    },
  },
  'workspaces-made-ahead': {
    sentence: 'Workspaces were created five hours ago, and are handed out when they are added.',
    alter: changeView(({ created }) => ({ created: created - 5 * 3_600_000 })),
  },
  'clock-ahead': {
    sentence: 'The clock of the portal is a minute ahead.',
    alter: replacing({ now: () => Date.now() + 60_000 }),
  },
  'texts-trimmed-and-normalised': {
    sentence: 'Texts are trimmed and brought into normalisation form NFC.',
    alter: replacing({ keep: (text) => text.trim().normalize('NFC') }),
  },
  'texts-decomposed': {
    sentence: 'Texts are brought into normalisation form NFD.',
    alter: replacing({ keep: (text) => text.normalize('NFD') }),
  },
  'markup-removed': {
    sentence: 'Markup is removed from texts.',
    alter: replacing({ keep: (text) => text.replace(/<[^>]*>?/g, '') }),
  },
  'utf-16-limits': {
    sentence: 'Limits count UTF-16 units, so that an astral character counts twice.',
    alter: replacing({ measure: (text) => text.length }),
  },
  'equal-names-refused': {
    sentence: 'Two workspaces of a collaboration may not have equal names.',
    alter: refuseWhen('add-workspace', 'bad-value', (call) => {
      const workspaces = collaborationIn(call)?.workspaces.values() ?? []
      const name = call.form.get('collaborationWorkspaceName')
      return [...workspaces].some((workspace) => workspace.name === name)
    }),
  },
  'single-use-groups': {
    sentence: 'A group is linked with one workspace only.',
    alter: replacing({ groupsReusable: false }),
  },
  'open-parameters-required': {
    sentence: 'Every parameter that is not marked optional is required.',
    alter(parts) {
      for (const { id, parameters } of operations) {
        const required = parameters.filter(({ name, presence }) => presence !== 'optional' && name !== 'f')
        refuseWhen(id, 'missing-parameter', ({ form }) =>
          required.some(({ name }) => form.get(name) === undefined),
        )(parts)
      }
    },
  },
  'created-201': {
    sentence: 'A new workspace is answered with HTTP status 201.',
    alter: around('add-workspace', async (_call, honest) => {
      const answer = await honest()
      return answer.refused === undefined ? { ...answer, status: 201 } : answer
    }),
  },
  'any-federation-values': {
    sentence: 'Any sign-up mode and any user type is accepted.',
    alter: replacing({ signUpModes: 'any', userTypes: 'any' }),
  },
})
