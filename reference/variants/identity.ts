/** Other ways of proving who calls, and more callers where the contract names none. */
import { bearerOf } from '../identity.ts'
import { isAdministrator } from '../permissions.ts'
import type { Variant } from './variant.ts'

const cookieName = 'portal_token'

export const identityVariants: readonly Variant[] = [
  {
    id: 'bearer-header',
    sentence: 'The credential is taken from the Authorization header only.',
    alter(parts) {
      parts.credentialOf = ({ headers }) => bearerOf(headers.authorization)
    },
    configure(configuration) {
      configuration.authentication = { in: 'header', name: 'Authorization', prefix: 'Bearer ' }
    },
  },
  {
    id: 'query-credential',
    sentence: 'The credential is taken from the query only.',
    alter(parts) {
      parts.credentialOf = ({ query }) => query.get('key') || undefined
    },
    configure(configuration) {
      configuration.authentication = { in: 'query', name: 'key' }
    },
  },
  {
    id: 'cookie-credential',
    sentence: 'The credential is taken from a cookie only.',
    alter(parts) {
      parts.credentialOf = ({ headers }) =>
        headers.cookie
          ?.split(';')
          .map((each) => each.trim())
          .find((each) => each.startsWith(`${cookieName}=`))
          ?.slice(cookieName.length + 1)
    },
    configure(configuration) {
      configuration.authentication = { in: 'cookie', name: cookieName }
    },
  },
  {
    id: 'host-administrator-anywhere',
    sentence: "A host administrator may act under another portal's id.",
    alter(parts) {
      for (const right of ['addWorkspace', 'updateParticipant', 'deleteCollaboration'] as const) {
        const honest = parts.may[right]
        parts.may[right] = (call, collaboration) =>
          honest(call, collaboration) || (isAdministrator(call.user) && call.user.organization === 'host')
      }
    },
  },
  {
    id: 'anybody-updates-runs',
    sentence: 'Whoever may update a run is open: here it is anybody, also without credentials.',
    alter(parts) {
      parts.may.updateRun = () => true
    },
  },
]
