/** Faults of update-federation. */
import {
  alsoMay,
  around,
  changeAccepted,
  hasInvalidCredential,
  isAnonymous,
  overlook,
  refuseText,
  refuseWhen,
  replacing,
} from '../alterations.ts'
import { groupIdsOf } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { isAdministrator, isOfHost } from '../users.ts'
import { faultsOf, requirementsOf } from './fault.ts'

const operation = 'update-federation'

/** Any valid request of a check may contain the value that the fault refuses. */
const anyRequest = requirementsOf(operation, 'protocol')

const settingsOf = ({ form }: Call) =>
  JSON.stringify(form.pairs.filter(([name]) => name !== 'token' && name !== 'f').toSorted())

export const updateFederationFaults = faultsOf({
  'several-groups-refused': {
    sentence: 'groups may hold one id only: several are refused.',
    breaks: ['update-federation/groups-array'],
    mayBreak: anyRequest,
    alter: refuseWhen(operation, 'bad-setting', ({ form }) => {
      const ids = form.getAll('groups').flatMap((value) => groupIdsOf(value) ?? [])
      return ids.length > 1
    }),
  },
  'certificate-plus-lost': {
    sentence:
      'A plus sign in a certificate becomes a space, and the certificate is then refused as not Base64.',
    breaks: ['update-federation/certificate'],
    alter: refuseText('bad-setting', ['certificate'], (text) => text.includes('+')),
  },
  'certificate-slashes-refused': {
    sentence: 'A certificate with a slash in its Base64 text is refused.',
    breaks: ['update-federation/certificate'],
    alter: refuseText('bad-setting', ['certificate'], (text) => text.includes('/')),
  },
  'identical-update-refused': {
    sentence: 'An update that changes nothing is refused.',
    breaks: ['update-federation/idempotent'],
    mayBreak: anyRequest,
    alter(parts) {
      const last = new Map<string, string>()
      around(operation, async (call, honest) => {
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
    breaks: ['update-federation/idempotent'],
    mayBreak: anyRequest,
    alter(parts) {
      let last = ''
      refuseWhen(operation, 'bad-setting', (call) => {
        const before = last
        last = settingsOf(call)
        return last === before
      })(parts)
    },
  },
  'automatic-sign-up-refused': {
    sentence: 'signUpMode=Automatic is refused.',
    breaks: ['update-federation/sign-up-mode'],
    mayBreak: anyRequest,
    alter: replacing({ signUpModes: ['Invitation'] }),
  },
  'platform-only-refused': {
    sentence: 'userType=platformonly is refused.',
    breaks: ['update-federation/user-type'],
    mayBreak: anyRequest,
    alter: replacing({ userTypes: ['both'] }),
  },
  'members-update-federations': {
    sentence: 'Any member of the organization may update its federation.',
    breaks: ['update-federation/refuses-non-administrator'],
    alter: alsoMay('updateFederation', isOfHost),
  },
  'other-organization-updates-federations': {
    sentence: 'The administrator of another organization may update the federation.',
    breaks: ['update-federation/refuses-other-organization'],
    alter: alsoMay('updateFederation', ({ user }) => isAdministrator(user)),
  },
  'anonymous-updates-federations': {
    sentence: 'A federation can be updated without credentials.',
    breaks: ['update-federation/refuses-anonymous'],
    alter: alsoMay('updateFederation', isAnonymous),
  },
  'any-credential-updates-federations': {
    sentence: 'A federation can be updated with an invalid credential.',
    breaks: ['update-federation/refuses-invalid-credential'],
    alter: alsoMay('updateFederation', hasInvalidCredential),
  },
  'federation-id-is-portal': {
    sentence: 'federationId is the id of the portal.',
    breaks: ['update-federation/identifier'],
    alter: changeAccepted(operation, ({ params }) => ({ federationId: params.portalID })),
  },
  'federation-update-without-id': {
    sentence: 'The answer to an accepted update has no federationId.',
    breaks: ['update-federation/updates'],
    alter: changeAccepted(operation, () => ({ federationId: undefined })),
  },
  'unknown-federation-accepted': {
    sentence: 'An update of a federation that does not exist is accepted.',
    breaks: ['update-federation/unknown-federation'],
    alter: overlook(operation, 'unknown-federation', ({ params }) => ({
      federationId: params.federationID,
    })),
  },
})
