/** The enterprise login of an organization. It has at most one federation. */
import { operationOf } from '../../specs/operations.ts'
import { done, shown } from '../answers.ts'
import { isX509 } from '../certificate.ts'
import type { Federation } from '../store.ts'
import { type AdministrativeCall, administrator, page, type Route } from './call.ts'

const federationOf = ({ store, portal }: AdministrativeCall): Federation | undefined =>
  [...store.federations.values()].find(({ portalId }) => portalId === store.portals[portal])

/** Settings that a read omits. */
const hiddenSettings = ['userType', 'userCreditAssignment']

const names: readonly string[] = operationOf('update-federation').parameters.map(({ name }) => name)

const idp = '/portals/:portal/idp'

export const federationRoutes: readonly Route[] = [
  page(idp, administrator, ({ parts }) => shown(parts.administration.hasLogin ? { id: 'ownlogin' } : {})),

  page(`${idp}/federation`, administrator, (call) => {
    const federation = federationOf(call)
    if (federation === undefined) return shown({})
    const settings = Object.entries(federation.settings).filter(([name]) => !hiddenSettings.includes(name))
    return shown({ ...Object.fromEntries(settings), id: federation.id })
  }),

  page(`${idp}/federation/register`, administrator, (call) => {
    const { field, parts, portal, store } = call
    if (parts.administration.hasLogin || federationOf(call) !== undefined) return 'logins-configured'
    if (field('name') === undefined || field('entityId') === undefined) return 'missing-parameter'
    if (!isX509(field('certificate') ?? '')) return 'bad-setting'
    const given = names.map((name) => [name, field(name)] as const)
    const settings = given.filter(
      (entry): entry is [string, string] => entry[0] !== 'f' && entry[1] !== undefined,
    )
    const id = parts.newId('federation')
    store.federations.set(id, { id, portalId: store.portals[portal], settings: Object.fromEntries(settings) })
    return done({ federationId: id })
  }),

  page(`${idp}/federation/:federation/unregister`, administrator, (call) => {
    const { params, store } = call
    const federation = federationOf(call)
    if (federation === undefined || federation.id !== params.federation) return 'unknown-federation'
    store.federations.delete(federation.id)
    return done()
  }),
]
