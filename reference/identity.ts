/** How a request proves who sends it: a token in the form, in the query or in a header. */
import type { Arrival } from './parts.ts'
import type { Store } from './store.ts'
import type { User } from './users.ts'

/** The token of a header that says `Bearer`. */
export function bearerOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^bearer +(\S+)$/i.exec(header)?.[1] : undefined
}

/** The first credential found, where clients of such portals put it. An empty one is none. */
export function findCredential({ form, query, headers }: Arrival): string | undefined {
  return (
    form.get('token') ||
    query.get('token') ||
    bearerOf(headers.authorization) ||
    bearerOf(headers['x-esri-authorization']) ||
    undefined
  )
}

/** The user of a token, unless it has ended or belongs to another referer. */
export function userOfToken(
  store: Store,
  token: string,
  { headers }: Arrival,
  now: number,
): User | undefined {
  const user = store.tokens.get(token)
  const terms = store.tokenTerms.get(token)
  if (user === undefined || terms === undefined) return user
  const bound = terms.referer !== undefined && terms.referer !== headers.referer
  return now >= terms.expires || bound ? undefined : user
}

/** The portals that the embedded deployment plays. */
export type PortalName = 'host' | 'guest' | 'otherGuest'
