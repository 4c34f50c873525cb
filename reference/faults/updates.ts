/** Updates of federations and participants that depend on what was sent before (§4.5, §4.7). */
import type { OperationId } from '../../specs/operations.ts'
import { afterAccepted, afterRefused, around, changeAccepted, overlook, refuseWhen } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { forCaller, isAdministrator } from '../users.ts'
import { acceptedAnswers } from './effects.ts'
import { type Chapter, requirementsOf, storiesOf } from './fault.ts'

const operation = 'update-federation'
const anyFederation = requirementsOf(operation, 'protocol')
const anyParticipant = requirementsOf('update-participant', 'protocol', 'delete-collaboration')

const settingsOf = ({ form }: Call) =>
  JSON.stringify(form.pairs.filter(([name]) => name !== 'token' && name !== 'f').toSorted())

/** What was refused for that reason is refused for ever on that path. */
const lockedAfter =
  (which: OperationId, why: Reason): Alter =>
  (parts) => {
    const locked = new Set<string>()
    refuseWhen(which, why, ({ params }) => locked.has(JSON.stringify(params)))(parts)
    afterRefused(which, [why], ({ params }) => locked.add(JSON.stringify(params)))(parts)
  }

const updateStories = storiesOf({
  'run-under-any-task-once-updated': {
    sentence: 'A run that was updated before is found under any task.',
    breaks: ['update-task-run/run-of-task'],
    alter(parts) {
      const updated = new Set<unknown>()
      afterAccepted('update-task-run', ({ params }) => updated.add(params.runID))(parts)
      overlook('update-task-run', 'unknown-run', acceptedAnswers['update-task-run'], ({ params }) =>
        updated.has(params.runID),
      )(parts)
    },
  },
  'identical-update-refused': {
    sentence: 'An update that changes nothing is refused.',
    breaks: ['update-federation/idempotent'],
    mayBreak: anyFederation,
    alter(parts) {
      const last = new Map<unknown, string>()
      around(operation, async (call, honest) => {
        const id = call.params.federationID
        const settings = settingsOf(call)
        if (isAdministrator(call.user) && last.get(id) === settings) return parts.refuse('bad-setting')
        const answer = await honest()
        if (answer.refused === undefined) last.set(id, settings)
        return answer
      })(parts)
    },
  },
  'settings-in-a-row-refused': {
    sentence: 'The same settings twice in a row are refused, even of another caller or another federation.',
    breaks: ['update-federation/idempotent'],
    mayBreak: anyFederation,
    alter(parts) {
      let last = ''
      refuseWhen(operation, 'bad-setting', (call) => {
        const before = last
        last = settingsOf(call)
        return last === before
      })(parts)
    },
  },
  'federation-known-by-its-settings': {
    sentence: 'Settings that another federation has been given are answered with the id of that one.',
    breaks: ['update-federation/identifier'],
    alter(parts) {
      const first = new Map<string, unknown>()
      changeAccepted(operation, (call, body) => {
        const settings = settingsOf(call)
        const federationId = first.get(settings) ?? body.federationId
        first.set(settings, federationId)
        return { federationId }
      })(parts)
    },
  },
  'federation-locked-after-bad-setting': {
    sentence: 'A federation that was refused a setting is updated no more.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: lockedAfter(operation, 'bad-setting'),
  },
  'participant-locked-after-bad-address': {
    sentence: 'A participant that was refused an e-mail address is updated no more.',
    breaks: ['update-participant/updates'],
    mayBreak: anyParticipant,
    alter: lockedAfter('update-participant', 'bad-email'),
  },
  'refused-update-drops-participant': {
    sentence: 'An update that is refused to its caller takes the participant out of the collaboration.',
    breaks: ['update-participant/updates'],
    mayBreak: anyParticipant,
    alter: afterRefused('update-participant', forCaller, (call) =>
      collaborationIn(call)?.participants.delete(call.params.participantPortalID as string),
    ),
  },
})

export const updatesChapter: Chapter = { faults: updateStories }
