/** Where a credential goes: an open point of the contract that the configuration settles. */
import type { Authentication } from '../configuration/configuration.ts'
import type { FormField } from './form.ts'

/** The parts of a request that can carry a credential. */
export interface CredentialPlaces {
  fields: readonly FormField[]
  /** Fields of the query that stand beside what the path holds. */
  query: readonly FormField[]
  headers: Record<string, string>
}

/** Adds the credential in its place. Nothing else of a request ever identifies the caller. */
export function addCredential(
  places: CredentialPlaces,
  credential: string,
  authentication: Authentication,
): void {
  const { in: place, name, prefix } = authentication
  const value = prefix + credential
  if (place === 'form') places.fields = [...places.fields, [name, value]]
  else if (place === 'query') places.query = [...places.query, [name, value]]
  else if (place === 'header') places.headers[name.toLowerCase()] = value
  else {
    const others = places.headers.cookie
    places.headers.cookie = `${others ? `${others}; ` : ''}${name}=${value}`
  }
}
