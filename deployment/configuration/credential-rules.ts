/** Whether credentials and headers can be sent as the configuration wants it. Never shows a value. */
import { resolve } from 'node:path'
import { credentialIn } from '../credentials/obtain-credential.ts'
import { at, textAt } from './configuration-error.ts'
import type { Problem } from './configuration-source.ts'

const headerName = /^[!#$%&'*+.^`|~\w-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

// Set by the client for each request, or by the connection.
const reservedHeaders = [
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
]

/** Credentials that cannot go where `authentication` puts them. */
export function credentialProblems(value: unknown, folder: string): Problem[] {
  const place = textAt(value, 'authentication', 'in') ?? 'form'
  const actors = Object.keys((at(value, 'actors') ?? {}) as object)
  const problems = actors.flatMap((actor) => {
    const path = `actors.${actor}.credential`
    const credential = textAt(value, 'actors', actor, 'credential')
    if (credential !== undefined) return problemsOf(path, credential, place)
    const file = textAt(value, 'actors', actor, 'credential', 'file')
    if (!file) return []
    try {
      return problemsOf(`${path}.file`, credentialIn(resolve(folder, file)), place)
    } catch {
      return [{ path: `${path}.file`, text: `the file ${resolve(folder, file)} cannot be read` }]
    }
  })
  const name = textAt(value, 'authentication', 'name')
  if ((place === 'header' || place === 'cookie') && name && !headerName.test(name)) {
    problems.push({ path: 'authentication.name', text: `cannot be the name of a ${place}` })
  }
  const prefix = textAt(value, 'authentication', 'prefix') ?? ''
  const allowed = place === 'cookie' ? cookieValue : headerValue
  if ((place === 'header' || place === 'cookie') && !allowed.test(prefix)) {
    problems.push({ path: 'authentication.prefix', text: `holds characters that cannot stand in a ${place}` })
  }
  return problems
}

function problemsOf(path: string, credential: string, place: string): Problem[] {
  const text = credentialProblem(credential, place)
  return text === undefined ? [] : [{ path, text }]
}

/** Why a credential cannot go where `authentication` puts it; undefined where it can. */
export function credentialProblem(credential: string, place: string): string | undefined {
  if (credential === '') return 'is empty'
  if (credential !== credential.trim()) {
    return 'begins or ends with white space, probably a line break of the file it was read from'
  }
  if (/\p{Surrogate}/u.test(credential)) return 'is not valid Unicode'
  if (place === 'header' && !headerValue.test(credential))
    return 'holds characters that cannot stand in a header'
  if (place === 'cookie' && !cookieValue.test(credential))
    return 'holds characters that cannot stand in a cookie'
  return undefined
}

/** Headers that cannot be sent with every request. */
export function headerProblems(value: unknown): Problem[] {
  const headers = at(value, 'http', 'headers')
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return []
  const credentialHeader = headerOfCredential(value)
  return Object.entries(headers).flatMap(([name, content]) => {
    const path = `http.headers${/^[\w$-]{1,60}$/.test(name) ? `.${name}` : ''}`
    const lower = name.toLowerCase()
    if (!headerName.test(name)) return [{ path, text: 'holds a name that cannot be the name of a header' }]
    if (reservedHeaders.includes(lower)) return [{ path, text: 'is set by the suite itself' }]
    if (lower === credentialHeader) {
      return [
        {
          path,
          text: 'carries the credential of an actor; sent with every request, none would be anonymous',
        },
      ]
    }
    if (typeof content === 'string' && !headerValue.test(content)) {
      return [{ path, text: 'holds characters that cannot stand in a header' }]
    }
    return []
  })
}

function headerOfCredential(value: unknown): string | undefined {
  if (textAt(value, 'authentication', 'in') !== 'header') return undefined
  return (textAt(value, 'authentication', 'name') ?? 'token').toLowerCase()
}
