/** Faults of update-task-run, update-participant and update-federation. */
import {
  alsoMay,
  around,
  changeAccepted,
  changeBytes,
  overlook,
  refuseText,
  refuseWhen,
  replacing,
} from '../alterations.ts'
import { groupIdsOf } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { isAdministrator, isOfHost } from '../users.ts'
import { letIn } from './callers.ts'
import { acceptancesOf, anyRequestOf, faultsOf, metByAny } from './fault.ts'
import { places, refused } from './texts.ts'

const run = 'update-task-run'

/** Whether any task has the run of the path. */
export const isRunOfAnyTask = ({ store, params }: Call): boolean =>
  [...store.tasks.values()].some(({ runs }) => runs.has(params.runID as string))

export const updateTaskRunFaults = faultsOf({
  'run-ids-swapped': {
    sentence: 'The answer has the task in runId and the run in taskId.',
    breaks: ['update-task-run/identifiers'],
    alter: changeAccepted(run, (_, { taskId, runId }) => ({ taskId: runId, runId: taskId })),
  },
  'run-id-as-number': {
    sentence: 'runId is a number.',
    breaks: ['update-task-run/updates'],
    mayBreak: ['update-task-run/identifiers'],
    alter: changeAccepted(run, () => ({ runId: 17 })),
  },
  'success-as-number': {
    sentence: 'success is 1.',
    breaks: ['protocol/form-post', 'protocol/success-boolean', ...acceptancesOf(run)],
    alter: changeAccepted(run, () => ({ success: 1 })),
  },
  'run-status-not-required': {
    sentence: 'An update without status is accepted.',
    breaks: ['update-task-run/status-required'],
    // An empty status counts as missing here, and the list of statuses is closed.
    mayBreak: ['update-task-run/statuses'],
    alter: overlook(run, 'missing-status'),
  },
  'run-result-required': {
    sentence: 'An update without result is refused.',
    // Other checks may send the optional result, too.
    ...metByAny('update-task-run/result-optional'),
    alter: refuseWhen(run, 'missing-parameter', hasNoResult),
  },
  'run-result-required-but-while-executing': {
    sentence: 'An update to any status but executing is refused without result.',
    ...metByAny('update-task-run/result-optional'),
    alter: refuseWhen(
      run,
      'missing-parameter',
      (call) => hasNoResult(call) && !['executing', '', undefined].includes(call.form.get('status')),
    ),
  },
  'run-empty-result-refused': {
    sentence: 'An empty result is refused.',
    breaks: ['update-task-run/result-empty'],
    alter: refuseText('bad-value', ['result'], (text) => text === ''),
  },
  ...refused(places.results, {
    'run-result-ascii-only': ['A result that holds anything beyond ASCII is refused.', /[^\x00-\x7f]/],
  }),
  'unknown-run-accepted': {
    sentence: 'An update of a run that does not exist is accepted.',
    breaks: ['update-task-run/unknown-run', 'update-task-run/run-of-task'],
    alter: overlook(run, 'unknown-run'),
  },
  'unknown-task-accepted': {
    sentence: 'An update of a run of a task that does not exist is accepted.',
    breaks: ['update-task-run/unknown-run', 'update-task-run/run-of-task'],
    alter: overlook(run, 'unknown-task'),
  },
  'any-run-status-accepted': {
    sentence: 'Any status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter: overlook(run, 'unknown-status'),
  },
  'skipped-run-refused': {
    sentence: 'The status skipped is refused, although it is on the list.',
    breaks: ['update-task-run/statuses'],
    alter: refuseText('unknown-status', ['status'], (text) => text === 'skipped'),
  },
  'run-under-any-task': {
    sentence: 'A run can be updated under a task to which it does not belong.',
    breaks: ['update-task-run/run-of-task'],
    alter: overlook(run, 'unknown-run', isRunOfAnyTask),
  },
  'task-under-any-user': {
    sentence: 'A run can be updated under a user to whom its task does not belong.',
    breaks: ['update-task-run/run-of-task'],
    alter: overlook(run, 'unknown-task', ({ store, params }) => store.tasks.has(params.taskID as string)),
  },
  'run-status-not-required-with-empty-result': {
    sentence: 'An update without status is accepted where its result is empty.',
    breaks: ['update-task-run/status-required'],
    alter: overlook(run, 'missing-status', ({ form }) => form.get('result') === ''),
  },
})

export function hasNoResult({ form }: Call): boolean {
  return form.get('result') === undefined
}

const participant = 'update-participant'

export const updateParticipantFaults = faultsOf({
  'participant-portal-is-host': {
    sentence: "portalId is the id of the host where it is the participant's.",
    breaks: ['update-participant/identifiers'],
    alter: changeAccepted(participant, ({ store }) => ({ portalId: store.portals.host })),
  },
  'participant-success-as-string': {
    sentence: 'success is the string "true".',
    breaks: ['update-participant/updates', 'protocol/success-boolean'],
    // Without a valid `success`, no request of the operation counts as accepted.
    mayBreak: anyRequestOf(participant),
    alter: changeAccepted(participant, () => ({ success: 'true' })),
  },
  'answer-with-trailing-text': {
    sentence: 'Something stands behind the JSON object of the answer to an accepted update.',
    breaks: ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(participant)],
    alter: changeBytes(participant, (body) => Buffer.concat([body, Buffer.from('\nserved in 3 ms')])),
  },
  ...letIn(participant, ['guests', 'members', 'anonymous', 'any-credential']),
  ...refused(
    { ...places.addresses, reason: 'bad-email' },
    { 'plus-addresses-refused': ['An e-mail address with a plus sign is refused.', /\+/] },
  ),
  ...refused(places.contactNames, {
    'contact-names-ascii-only': [
      'Names of contact persons are refused where they hold anything beyond ASCII.',
      /[^\x00-\x7f]/,
    ],
  }),
  'unknown-participant-accepted': {
    sentence: 'An update of a participant that the collaboration does not have is accepted.',
    breaks: ['update-participant/unknown-participant'],
    alter: overlook(participant, 'unknown-participant'),
  },
  'participant-of-other-collaboration-updated': {
    sentence: 'An update of a participant of another collaboration than that of the path is accepted.',
    breaks: ['update-participant/unknown-participant'],
    alter: overlook(participant, 'unknown-participant', ({ store, params }) =>
      [...store.collaborations.values()].some(({ participants }) =>
        participants.has(params.participantPortalID as string),
      ),
    ),
  },
  'participant-of-unknown-collaboration': {
    sentence: 'An update of a participant of a collaboration that does not exist is accepted.',
    breaks: ['update-participant/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    alter: overlook(participant, 'unknown-collaboration'),
  },
})

const federation = 'update-federation'

/** The settings in a request, whatever their order. */
const settingsOf = ({ form }: Call): string =>
  JSON.stringify(form.pairs.filter(([name]) => name !== 'token' && name !== 'f').toSorted())

export const updateFederationFaults = faultsOf({
  'several-groups-refused': {
    sentence: 'groups may hold one id only: several are refused.',
    ...metByAny('update-federation/groups-array'),
    alter: refuseWhen(federation, 'bad-setting', ({ form }) => {
      const ids = form.getAll('groups').flatMap((value) => groupIdsOf(value) ?? [])
      return ids.length > 1
    }),
  },
  ...refused(places.certificates, {
    'certificate-plus-lost': [
      'A plus sign in a certificate becomes a space, and the certificate is then refused as not Base64.',
      /\+/,
    ],
    'certificate-slashes-refused': ['A certificate with a slash in its Base64 text is refused.', /\//],
  }),
  'identical-update-refused': {
    sentence: 'An update that changes nothing is refused.',
    ...metByAny('update-federation/idempotent'),
    alter(parts) {
      const last = new Map<string, string>()
      around(federation, async (call, honest) => {
        const id = call.params.federationID as string
        const settings = settingsOf(call)
        const known = call.store.federations.has(id)
        if (known && isAdministrator(call.user) && last.get(id) === settings)
          return parts.refuse('bad-setting')
        const answer = await honest()
        if (answer.refused === undefined) last.set(id, settings)
        return answer
      })(parts)
    },
  },
  'settings-in-a-row-refused': {
    sentence:
      'The same settings twice in a row are refused, also to another administrator or of another one.',
    ...metByAny('update-federation/idempotent'),
    alter(parts) {
      let last = ''
      refuseWhen(federation, 'bad-setting', (call) => {
        const before = last
        last = settingsOf(call)
        return last === before
      })(parts)
    },
  },
  'automatic-sign-up-refused': {
    sentence: 'signUpMode=Automatic is refused.',
    ...metByAny('update-federation/sign-up-mode'),
    alter: replacing({ signUpModes: ['Invitation'] }),
  },
  'platform-only-refused': {
    sentence: 'userType=platformonly is refused.',
    ...metByAny('update-federation/user-type'),
    alter: replacing({ userTypes: ['both'] }),
  },
  'members-update-federations': {
    sentence: 'Any member of the organization may update its federation.',
    breaks: ['update-federation/refuses-non-administrator'],
    alter: alsoMay(federation, isOfHost),
  },
  ...letIn(federation, ['other-organization', 'anonymous', 'any-credential']),
  'federation-id-is-portal': {
    sentence: 'federationId is the id of the portal.',
    breaks: ['update-federation/identifier'],
    alter: changeAccepted(federation, ({ params }) => ({ federationId: params.portalID })),
  },
  'federation-update-without-id': {
    sentence: 'The answer to an accepted update has no federationId.',
    breaks: ['update-federation/updates'],
    alter: changeAccepted(federation, () => ({ federationId: undefined })),
  },
  'unknown-federation-accepted': {
    sentence: 'An update of a federation that does not exist is accepted.',
    breaks: ['update-federation/unknown-federation'],
    alter: overlook(federation, 'unknown-federation'),
  },
})
