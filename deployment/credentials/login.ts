/** Gets a token for a user name and a password from a token endpoint. */

import type { Configuration, Login, PortalName } from '../configuration/configuration.ts'
import { bodyFields } from '../http/answer.ts'
import { Client } from '../http/client.ts'
import { type Answer, TransportError } from '../http/exchange.ts'
import type { FormField } from '../http/form.ts'
import { CredentialError, type Obtained } from './obtained.ts'

const minute = 60_000

/** The token, with the time at which it ends. Throws a CredentialError that says why there is none. */
export async function logIn(
  login: Login,
  portal: PortalName,
  configuration: Configuration,
): Promise<Obtained> {
  const base = configuration.portals[portal]?.baseUrl ?? configuration.target.baseUrl
  const url = new URL(login.url ?? `${base}/generateToken`)
  const client = new Client({
    ...configuration,
    target: { ...configuration.target, baseUrl: url.origin },
    portals: { host: { id: '' } },
  })
  try {
    const fields = fieldsOf(login)
    const referer = login.referer === undefined ? {} : { referer: login.referer }
    const answer = await client.send({ portal: 'host', path: url.pathname + url.search, fields, ...referer })
    return tokenIn(answer, url)
  } catch (error) {
    if (error instanceof TransportError) throw new CredentialError(`no token could be had: ${error.message}`)
    throw error
  } finally {
    await client.close()
  }
}

function fieldsOf({ username, password, referer, expirationMs }: Login): FormField[] {
  return [
    ['username', username],
    ['password', password],
    ['client', referer === undefined ? 'requestip' : 'referer'],
    ...(referer === undefined ? [] : [['referer', referer] as FormField]),
    ['expiration', String(Math.max(1, Math.round(expirationMs / minute)))],
    ['f', 'json'],
  ]
}

function tokenIn(answer: Answer, url: URL): Obtained {
  const body = bodyFields(answer)
  const { token, expires } = body
  const tokenUrl = url.origin + url.pathname
  if (answer.status < 200 || answer.status > 299 || typeof token !== 'string' || token === '') {
    // The message of a refusal may repeat what was sent: only its code is told.
    const code = (body.error as { code?: unknown } | null | undefined)?.code
    const why = typeof code === 'number' ? ` with error code ${code}` : ' without a token'
    throw new CredentialError(`the login was not accepted: ${tokenUrl} answered HTTP ${answer.status}${why}`)
  }
  return typeof expires === 'number' && expires > 0
    ? { credential: token, expiresAt: expires }
    : { credential: token }
}
