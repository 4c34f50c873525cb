/** Requests of administrators and users besides the operations of the contract. */
import { done } from '../answers.ts'
import type { Answer, Call, Rendered } from '../parts.ts'
import type { PortalName, User } from '../store.ts'
import { isAdministrator, refuseCaller } from '../users.ts'

export interface AdministrativeCall extends Pick<Call, 'params' | 'user' | 'arrival' | 'store' | 'parts'> {
  /** A field of the form, of a multipart body or of the query. Undefined: absent or empty. */
  field(name: string): string | undefined
  /** A file in a multipart body. */
  file(name: string): Buffer | undefined
  /** The portal that the path names. */
  readonly portal: PortalName
  /** The address of a portal, without `/sharing/rest`. */
  contextUrl(name: PortalName): string
}

export type AdministrativeHandler = (call: AdministrativeCall) => Answer | Rendered

export interface Route {
  /** Below the base path, in the router's syntax. */
  readonly path: string
  readonly handle: AdministrativeHandler
}

export function administers({ user, portal }: AdministrativeCall): boolean {
  return isAdministrator(user) && user.organization === portal
}

/** The words of a comma-separated field. */
export const wordsOf = (text = ''): string[] => text.split(',').filter((word) => word !== '')

/** The contact of the host or the guest in a form. */
export const contactOf = ({ field }: AdministrativeCall, whose: 'host' | 'guest') => ({
  firstname: field(`${whose}ContactFirstname`) ?? '',
  lastname: field(`${whose}ContactLastname`) ?? '',
  email: field(`${whose}ContactEmailAddress`) ?? '',
})

/** Whether an item or a group must be unprotected before it can be deleted. */
export const isProtected = ({ parts: { administration } }: AdministrativeCall, id: string): boolean =>
  administration.unprotected?.has(id) === false

/** Unprotects an item or a group. `parameter`: the path parameter with its id. */
export const unprotect =
  (parameter: string) =>
  ({ params, parts }: AdministrativeCall): Answer => {
    parts.administration.unprotected?.add(params[parameter] as string)
    return done()
  }

/** Allows only administrators of the portal in the path. */
export const forAdministrators =
  (handle: AdministrativeHandler): AdministrativeHandler =>
  (call) =>
    administers(call) ? handle(call) : refuseCaller(call)

/** Allows only the user in the path and administrators of the same organization. */
export const forOwner =
  (handle: (call: AdministrativeCall, owner: User) => Answer | Rendered): AdministrativeHandler =>
  (call) => {
    const { user, params, store, parts } = call
    const owner = store.users.get(params.user as string)
    if (user === undefined) return refuseCaller(call)
    const administrator = isAdministrator(user) && user.organization === owner?.organization
    if (owner !== undefined && (user === owner || administrator)) return handle(call, owner)
    return owner === undefined && isAdministrator(user) ? parts.refuse('unknown-user') : refuseCaller(call)
  }

/** Acts after this many milliseconds. 0: at once. */
export function later(ms: number, act: () => void): void {
  if (ms === 0) act()
  else setTimeout(act, ms).unref()
}

/** One page of a list: `start` counts from 1, `num` is at most 100. */
export function paged(
  { field, parts }: AdministrativeCall,
  name: string,
  visible: readonly unknown[],
  usual: number,
): Record<string, unknown> {
  const all = parts.administration.listed(visible)
  const start = Math.max(1, Number(field('start') ?? 1) || 1)
  const num = Math.min(100, Math.max(1, Number(field('num') ?? usual) || usual))
  const next = start + num
  return {
    total: all.length,
    start,
    num,
    nextStart: next <= all.length ? next : -1,
    [name]: all.slice(start - 1, next - 1).filter((each) => each !== undefined),
  }
}
