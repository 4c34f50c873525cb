/** How a request proves who sends it: a token in the form, in the query or in a header. */
import type { Arrival } from './parts.ts'

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
