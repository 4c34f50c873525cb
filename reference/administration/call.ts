/** Requests of administrators and users besides the operations of the contract, and the pages that answer them. */
import { done, type Reason } from '../answers.ts'
import type { Answer, Call, Rendered } from '../parts.ts'
import type { PortalName, User } from '../store.ts'
import { isAdministrator, refuseCaller } from '../users.ts'

export interface AdministrativeCall extends Pick<Call, 'params' | 'user' | 'arrival' | 'store' | 'parts'> {
  /** A field of the form, of a multipart body or of the query. Undefined: absent or empty. */
  field(name: string): string | undefined
  /** The portal that the path names. */
  readonly portal: PortalName
  /** The address of a portal, without `/sharing/rest`. */
  contextUrl(name: PortalName): string
}

export interface Route {
  /** Below the base path, in the router's syntax. */
  readonly path: string
  readonly handle: (call: AdministrativeCall) => Answer | Rendered
}

/** Why a request is refused. `caller`: the caller may not do it. */
type Refused = Reason | 'caller'

/** What a page is about, for a caller who may see it. */
export type Access<Subject extends object> = (call: AdministrativeCall) => Subject | Refused

/** A page. Refuses requests without one of the required fields. */
export const page = <Subject extends object>(
  path: string,
  access: Access<Subject>,
  act: (call: AdministrativeCall, subject: NoInfer<Subject>) => Answer | Rendered | Refused,
  required: readonly string[] = [],
): Route => ({
  path,
  handle(call) {
    const refuse = (why: Refused) => (why === 'caller' ? refuseCaller(call) : call.parts.refuse(why))
    const subject = access(call)
    if (typeof subject === 'string') return refuse(subject)
    if (required.some((name) => call.field(name) === undefined)) return refuse('missing-parameter')
    const answer = act(call, subject)
    return typeof answer === 'string' ? refuse(answer) : answer
  },
})

/** Access to something that belongs to the subject of another access. */
export const within =
  <Outer extends object, Inner extends object>(
    access: Access<Outer>,
    find: (call: AdministrativeCall, outer: Outer) => Inner | Refused,
  ): Access<Inner> =>
  (call) => {
    const outer = access(call)
    return typeof outer === 'string' ? outer : find(call, outer)
  }

/** The caller, who must have signed in. */
export const signedIn: Access<User> = ({ user }) => user ?? 'caller'

/** The caller, who must be an administrator of the portal in the path. */
export const administrator: Access<User> = ({ user, portal }) =>
  isAdministrator(user) && user.organization === portal ? user : 'caller'

/** The user in the path. The caller must be that user or an administrator of the same organization. */
export const owner: Access<User> = ({ user, params, store }) => {
  if (user === undefined) return 'caller'
  const found = store.users.get(params.user as string)
  if (found === undefined) return isAdministrator(user) ? 'unknown-user' : 'caller'
  return user === found || (isAdministrator(user) && user.organization === found.organization)
    ? found
    : 'caller'
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

/** Unprotects an item or a group. */
export function unprotect({ parts }: AdministrativeCall, { id }: { readonly id: string }): Answer {
  parts.administration.unprotected?.add(id)
  return done()
}

/** One page of a list: `start` counts from 1, `num` is at most 100. */
export function paged(
  { field }: AdministrativeCall,
  name: string,
  all: readonly unknown[],
  usual: number,
): Record<string, unknown> {
  const start = Math.max(1, Number(field('start') ?? 1) || 1)
  const num = Math.min(100, Math.max(1, Number(field('num') ?? usual) || usual))
  const next = start + num
  return {
    total: all.length,
    start,
    num,
    nextStart: next <= all.length ? next : -1,
    [name]: all.slice(start - 1, next - 1),
  }
}
