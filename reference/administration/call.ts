/** One request of an administrator, or of a user about his own things, beside the operations of the contract. */
import { done } from '../answers.ts'
import type { Answer, Call, Rendered } from '../parts.ts'
import type { PortalName, User } from '../store.ts'
import { isAdministrator, refuseCaller } from '../users.ts'

export interface AdministrativeCall extends Pick<Call, 'params' | 'user' | 'arrival' | 'store' | 'parts'> {
  /** Fields of the form, of the parts or of the query; empty ones count as absent. */
  field(name: string): string | undefined
  /** A file that was sent as a part. */
  file(name: string): Buffer | undefined
  /** The portal that the path means. */
  readonly portal: PortalName
  /** Where that portal is found, without `/sharing/rest`. */
  contextUrl(name: PortalName): string
}

export type AdministrativeHandler = (call: AdministrativeCall) => Answer | Rendered

export interface Route {
  /** Below the base path, in the notation of the router. */
  readonly path: string
  readonly handle: AdministrativeHandler
}

export function administers({ user, portal }: AdministrativeCall): boolean {
  return isAdministrator(user) && user.organization === portal
}

/** What stands between the commas of a field. */
export const wordsOf = (text = ''): string[] => text.split(',').filter((word) => word !== '')

/** The contact that a form names, by names that begin so. */
export const contactOf = ({ field }: AdministrativeCall, whose: 'host' | 'guest') => ({
  firstname: field(`${whose}ContactFirstname`) ?? '',
  lastname: field(`${whose}ContactLastname`) ?? '',
  email: field(`${whose}ContactEmailAddress`) ?? '',
})

/** Whether it may be deleted as it is. */
export const isProtected = ({ parts: { administration } }: AdministrativeCall, id: string): boolean =>
  administration.unprotected?.has(id) === false

/** For items and groups, which that parameter of the path names. */
export const unprotect =
  (parameter: string) =>
  ({ params, parts }: AdministrativeCall): Answer => {
    parts.administration.unprotected?.add(params[parameter] as string)
    return done()
  }

/** Only for administrators of the portal of the path. */
export const forAdministrators =
  (handle: AdministrativeHandler): AdministrativeHandler =>
  (call) =>
    administers(call) ? handle(call) : refuseCaller(call)

/** Only for the user of the path, and for administrators of his organization. */
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

/** Has something happen this many milliseconds later: at once where that is none. */
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
