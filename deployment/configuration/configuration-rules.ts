/** Rules of a configuration beyond its schema. They read values of any shape, since the schema reports wrong shapes. */
import { accessSync, constants, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { at, isObject, textAt } from '../../schemas/values.ts'
import { isUrl } from '../../specs/paths.ts'
import { fixtureKinds, wrongField } from '../fixtures/fixture-kinds.ts'
import { actorNames, portalNames } from './actors.ts'
import { type Authentication, defaultPortal } from './configuration.ts'
import { type Problem, problemAt, problemsIn } from './configuration-error.ts'
import { proxyProblems, tlsProblems } from './connection-settings.ts'
import { parseDuration } from './duration.ts'
import { authenticationOf, loadProfile } from './load-profile.ts'
import { schemaSettings } from './schema-settings.ts'

const longestTimer = '1d'

/** Every broken rule. Messages never show a credential, nor a value that may be one. */
export function ruleProblems(value: unknown, folder: string): Problem[] {
  const authentication = authenticationIn(isObject(value) ? value : {}, folder)
  return [
    ...urlProblems(value),
    ...durationProblems(value),
    ...fileProblems(value, folder),
    ...proxyProblems(value),
    ...portalProblems(value),
    ...credentialProblems(value, authentication, folder),
    ...headerProblems(value, authentication),
    ...administrationProblems(value),
    ...listProblems(value),
  ]
}

/** Listed fixtures that no check could use. */
function listProblems(value: unknown): Problem[] {
  return fixtureKinds.flatMap((kind) => {
    const list = at(value, 'fixtures', 'static', kind)
    if (!Array.isArray(list)) return []
    // The length of a sync may be unknown.
    const known = kind === 'workspace' ? { minimumSyncMs: 0 } : {}
    return list.flatMap((entry: unknown, index) => {
      const wrong = isObject(entry) ? wrongField(kind, 'answer', { ...known, ...entry }) : undefined
      return problemAt(`fixtures.static.${kind}[${index}]`, wrong)
    })
  })
}

/** Where credentials go. A profile that cannot be used is reported later. */
function authenticationIn(value: object, folder: string): unknown {
  const { target, authentication } = schemaSettings(value, folder)
  const written = at(value, 'authentication')
  const own = isObject(written) ? (written as Partial<Authentication>) : undefined
  try {
    return authenticationOf(authentication, loadProfile(target.profile, folder), own)
  } catch {
    return authenticationOf(authentication, undefined, own)
  }
}

/** Each administrator signs in one way, and a guest answers at an address of its own. */
function administrationProblems(value: unknown): Problem[] {
  return portalNames.flatMap((name) => {
    const path = `administration.${name}`
    const login = at(value, 'administration', name)
    if (!isObject(login)) return []
    const has = (key: string): boolean => login[key] !== undefined
    const whole = has('credential') ? !has('password') : has('username') && has('password')
    const ways = whole ? [] : [{ path, text: 'username and password expected, or credential' }]
    if (name === 'host' || at(value, 'portals', name, 'baseUrl') !== undefined) return ways
    return [...ways, { path, text: `needs portals.${name}.baseUrl, the address of that portal` }]
  })
}

function urlProblems(value: unknown): Problem[] {
  const places = [
    ['target', 'baseUrl'],
    ...portalNames.map((name) => ['portals', name, 'baseUrl']),
    ['fixtures', 'url'],
  ]
  return problemsIn(value, places, urlProblem)
}

function urlProblem(text: string): string | undefined {
  if (!isUrl(text)) return 'is not a URL'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '') {
    return 'must not hold a user name or password; credentials belong under actors'
  }
  if (text.includes('?') || text.includes('#')) return 'must end with its path, without ? and #'
  return undefined
}

function durationProblems(value: unknown): Problem[] {
  const longest = parseDuration(longestTimer)!
  const places = ['timeout', 'connectTimeout', 'throttleWait'].map((key) => ['http', key])
  return problemsIn(value, places, (text, key) => {
    const milliseconds = parseDuration(text)
    if (milliseconds === undefined) return undefined
    if (milliseconds > longest) return `at most ${longestTimer} expected`
    return milliseconds > 0 || key === 'throttleWait' ? undefined : 'more than 0ms expected'
  })
}

function fileProblems(value: unknown, folder: string): Problem[] {
  const places = [
    ['http', 'ca'],
    ['http', 'cert'],
    ['http', 'key'],
    ['fixtures', 'module'],
  ]
  const problems = problemsIn(value, places, (file) => {
    const path = resolve(folder, file)
    return file === '' || isReadable(path) ? undefined : `the file ${path} cannot be read`
  })
  const given = ['cert', 'key'].filter((key) => at(value, 'http', key) !== undefined)
  if (given.length !== 1) return problems.length > 0 ? problems : tlsProblems(value, folder)
  const other = given[0] === 'cert' ? 'key' : 'cert'
  return [...problems, { path: `http.${given[0]}`, text: `needs http.${other} beside it` }]
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Portal ids that are required: without an administration, the run cannot find them out. */
export function missingPortals(value: unknown): Problem[] {
  if (!isObject(value) || value.administration !== undefined) return []
  const missing = (path: string): Problem[] => problemAt(path, 'missing')
  if (value.portals === undefined) return missing('portals')
  if (at(value, 'portals', 'host') === undefined) return missing('portals.host')
  return portalNames.flatMap((name) => {
    const portal = at(value, 'portals', name)
    return isObject(portal) && portal.id === undefined ? missing(`portals.${name}.id`) : []
  })
}

function portalProblems(value: unknown): Problem[] {
  const configured = portalNames.filter((name) => at(value, 'portals', name) !== undefined)
  return actorNames.flatMap((name) => {
    if (at(value, 'actors', name) === undefined) return []
    const given = textAt(value, 'actors', name, 'portal')
    const portal = given ?? defaultPortal(name, configured)
    // The schema reports unknown names and a missing host.
    if (portal === 'host' || !portalNames.some((known) => known === portal)) return []
    if (configured.some((known) => known === portal)) return []
    const path = given === undefined ? `actors.${name}` : `actors.${name}.portal`
    const text = `belongs to the portal ${portal}, which is missing under portals; add portals.${portal}.id`
    return problemAt(path, text)
  })
}

const headerName = /^[!#$%&'*+.^`|~\w-]+$/

/** What may stand in these places of a request. */
const allowedIn = new Map<string | undefined, RegExp>([
  ['header', /^[\t\x20-\x7e\x80-\xff]*$/],
  ['cookie', /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/],
])

const misfit = (text: string, place: string | undefined): string | undefined =>
  allowedIn.get(place)?.test(text) === false ? `holds characters that cannot stand in a ${place}` : undefined

// The client or the connection sets them for each request.
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

/** Credentials that cannot be sent where `authentication` puts them. */
function credentialProblems(value: unknown, authentication: unknown, folder: string): Problem[] {
  const place = textAt(authentication, 'in')
  const actors = Object.keys((at(value, 'actors') ?? {}) as object)
  const all = actors.flatMap((actor) => ['credential', 'expired'].map((key) => [actor, key] as const))
  const problems = all.flatMap(([actor, key]) => {
    const path = `actors.${actor}.${key}`
    const credential = textAt(value, 'actors', actor, key)
    if (credential !== undefined) return problemAt(path, credentialProblem(credential, place))
    if (key === 'expired' && at(value, 'actors', actor, key, 'login') !== undefined)
      return problemAt(`${path}.login`, 'a login gives what has not ended; name one that has, or its file')
    const file = textAt(value, 'actors', actor, key, 'file')
    if (!file) return []
    try {
      return problemAt(`${path}.file`, credentialProblem(credentialIn(resolve(folder, file)), place))
    } catch {
      return problemAt(`${path}.file`, `the file ${resolve(folder, file)} cannot be read`)
    }
  })
  const name = textAt(authentication, 'name')
  const isName = !name || !allowedIn.has(place) || headerName.test(name)
  return [
    ...problems,
    ...problemAt('authentication.name', isName ? undefined : `cannot be the name of a ${place}`),
    ...problemAt('authentication.prefix', misfit(textAt(authentication, 'prefix') ?? '', place)),
  ]
}

/** The content of the file without the line break at its end. Throws if the file cannot be read. */
export function credentialIn(file: string): string {
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}

/** Why a credential cannot be sent where `authentication` puts it; undefined if it can. */
export function credentialProblem(credential: string, place: string | undefined): string | undefined {
  if (credential === '') return 'is empty'
  if (credential !== credential.trim()) {
    return 'begins or ends with white space, probably a line break of the file it was read from'
  }
  if (/\p{Surrogate}/u.test(credential)) return 'is not valid Unicode'
  return misfit(credential, place)
}

/** Headers that cannot be sent with every request. */
function headerProblems(value: unknown, authentication: unknown): Problem[] {
  const headers = at(value, 'http', 'headers')
  if (!isObject(headers)) return []
  const credentialHeader =
    textAt(authentication, 'in') === 'header' ? textAt(authentication, 'name')?.toLowerCase() : undefined
  return Object.entries(headers).flatMap(([name, content]) => {
    const path = `http.headers${/^[\w$-]{1,60}$/.test(name) ? `.${name}` : ''}`
    return problemAt(path, headerProblem(name, content, credentialHeader))
  })
}

function headerProblem(name: string, content: unknown, ofCredential: string | undefined): string | undefined {
  if (!headerName.test(name)) return 'holds a name that cannot be the name of a header'
  if (reservedHeaders.includes(name.toLowerCase())) return 'is set by the suite itself'
  if (name.toLowerCase() === ofCredential)
    return 'carries the credential of an actor; sent with every request, none would be anonymous'
  return typeof content === 'string' ? misfit(content, 'header') : undefined
}
