/** The enterprise login of an organization. It has at most one federation. */
import { done, shown } from '../answers.ts'
import { isX509 } from '../certificate.ts'
import type { Federation } from '../store.ts'
import { type AdministrativeCall, forAdministrators, type Route } from './call.ts'

const federationOf = ({ store, portal }: AdministrativeCall): Federation | undefined =>
  [...store.federations.values()].find(({ portalId }) => portalId === store.portals[portal])

/** Settings that a read omits. */
const hiddenSettings = ['userType', 'userCreditAssignment']

const read = forAdministrators((call) => {
  const federation = federationOf(call)
  if (federation === undefined) return shown({})
  const settings = Object.entries(federation.settings).filter(([name]) => !hiddenSettings.includes(name))
  return shown({ ...Object.fromEntries(settings), id: federation.id })
})

const names = [
  'name',
  'discoveryServiceUrl',
  'metadataServiceUrl',
  'certificate',
  'entityId',
  'signUpMode',
  'userCreditAssignment',
  'groups',
  'roleId',
  'userLicenseType',
  'userType',
]

const register = forAdministrators((call) => {
  const { field, parts, portal, store } = call
  if (parts.administration.hasLogin || federationOf(call) !== undefined)
    return parts.refuse('logins-configured')
  if (field('name') === undefined || field('entityId') === undefined) return parts.refuse('missing-parameter')
  if (!isX509(field('certificate') ?? '')) return parts.refuse('bad-setting', ['certificate is not valid.'])
  const given = names.map((name) => [name, field(name)] as const)
  const settings = given.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const id = parts.newId('federation')
  store.federations.set(id, { id, portalId: store.portals[portal], settings: Object.fromEntries(settings) })
  return done({ federationId: id })
})

const unregister = forAdministrators((call) => {
  const federation = federationOf(call)
  if (federation === undefined || federation.id !== call.params.federation)
    return call.parts.refuse('unknown-federation')
  call.store.federations.delete(federation.id)
  return done()
})

export const federationRoutes: readonly Route[] = [
  {
    path: '/portals/:portal/idp',
    handle: forAdministrators(({ parts }) => shown(parts.administration.hasLogin ? { id: 'ownlogin' } : {})),
  },
  { path: '/portals/:portal/idp/federation', handle: read },
  { path: '/portals/:portal/idp/federation/register', handle: register },
  { path: '/portals/:portal/idp/federation/:federation/unregister', handle: unregister },
]
