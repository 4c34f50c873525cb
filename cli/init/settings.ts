/** The settings of a configuration without logins: each is an option and a part of the file. */
import { Option } from 'commander'
import { actorNames } from '../../deployment/configuration/actors.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { listOf } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import { type Draft, type Fixtures, fromEnvironment } from './configuration-text.ts'
import { looksLikeSecret, namesVariable } from './secret-texts.ts'

interface Setting {
  readonly option: Option
  readonly repeatable?: true
  /** The draft with what the text says. Throws a usage error for a wrong text, which it does not repeat if it may be secret. */
  readonly writes: (draft: Draft, text: string, environment: NodeJS.ProcessEnv) => Draft
}

const editions = ['self-hosted', 'hosted']

const places: Readonly<Record<string, object>> = {
  form: { in: 'form', name: 'token' },
  query: { in: 'query', name: 'token' },
  header: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
  cookie: { in: 'cookie', name: 'token' },
}

const withTarget = (draft: Draft, more: object): Draft => ({ ...draft, target: { ...draft.target, ...more } })

/** As commander names the options. */
type Name =
  | ('baseUrl' | 'hostId' | 'guestId' | 'profile' | 'auth' | 'release' | 'edition')
  | ('actor' | 'username' | 'fixtures' | 'collaboration' | 'group' | 'effects')

/** In the order in which they are written: later ones rest on earlier ones. */
export const settings: Readonly<Record<Name, Setting>> = {
  baseUrl: {
    option: new Option('--base-url <URL>', 'base URL of the deployment'),
    writes: (draft, text) => withTarget(draft, { baseUrl: addressOf('--base-url', text) }),
  },
  hostId: {
    option: new Option('--host-id <ID>', 'id of the host portal'),
    writes: (draft, id) => ({ ...draft, portals: { ...draft.portals, host: { id } } }),
  },
  guestId: {
    option: new Option('--guest-id <ID>', 'id of a guest portal that takes part in the collaborations'),
    writes: (draft, id) => ({ ...draft, portals: { ...draft.portals, guest: { id } } }),
  },
  profile: {
    option: new Option('--profile <NAME>', 'what settles open points: none, arcgis, or a file'),
    writes: (draft, profile) => withTarget(draft, { profile }),
  },
  auth: {
    option: new Option('--auth <PLACE>', 'where a request carries the credential').choices(
      Object.keys(places),
    ),
    writes: (draft, place) => ({ ...draft, authentication: places[place] as object }),
  },
  release: {
    // Not `version`: the program has an option `--version`.
    option: new Option('--release <RELEASE>', 'release of the deployment, such as 11.0'),
    writes: (draft, version) => withTarget(draft, { version }),
  },
  edition: {
    option: new Option('--edition <EDITION>', 'edition of the deployment').choices(editions),
    writes: (draft, edition) => withTarget(draft, { edition }),
  },
  actor: {
    option: new Option('--actor <NAME=VARIABLE>', 'a caller and where its credential is; repeatable'),
    repeatable: true,
    writes: withActor,
  },
  username: {
    option: new Option('--username <NAME=USER>', 'the user name of a caller; repeatable'),
    repeatable: true,
    writes: (draft, text) => {
      const [name, username] = halvesOf(text)
      const actor = draft.actors?.[name]
      if (actor === undefined || username === '')
        throw usageError('--username: ACTOR=USER is expected, for an actor that --actor names')
      return { ...draft, actors: { ...draft.actors, [name]: { ...actor, username } } }
    },
  },
  fixtures: {
    option: new Option('--fixtures <SOURCE>', 'static, url=URL, module=PATH, command=LINE or none'),
    writes: (draft, text) => ({ ...draft, fixtures: fixturesOf(text) }),
  },
  collaboration: {
    option: new Option('--collaboration <ID>', 'a collaboration that a run may add to; repeatable'),
    repeatable: true,
    writes: (draft, collaborationId) => {
      const guest = draft.portals.guest?.id
      const listed = withListed(draft, 'collaboration', { collaborationId })
      if (guest === undefined) return listed
      return withListed(listed, 'participant', { collaborationId, participantPortalId: guest })
    },
  },
  group: {
    option: new Option('--group <ID>', 'a group of the host that workspaces may be linked to; repeatable'),
    repeatable: true,
    writes: (draft, groupId) => withListed(draft, 'group', { groupId }),
  },
  effects: {
    option: new Option('--effects <LIST>', 'what a run may do there: all, none, or ids of operations'),
    writes: (draft, text) => ({ ...draft, effects: effectsIn(text) }),
  },
}

/** The values of the options. */
export type SettingOptions = Readonly<Partial<Record<Name, string | readonly string[]>>>

/** What the options say. Without effects, what actors and fixtures allow to test. */
export function draftOf(options: SettingOptions, environment: NodeJS.ProcessEnv): Draft {
  let draft: Draft = { target: {}, portals: {} }
  for (const [name, { writes }] of Object.entries(settings))
    for (const text of [options[name as Name] ?? []].flat()) draft = writes(draft, text, environment)
  return { ...draft, effects: draft.effects ?? usualEffects(draft) }
}

/** The address. Throws a usage error if it holds a name or a password. */
export function addressOf(where: string, text: string): string {
  if (!/^https?:\/\/[^/]*@|[?#]/i.test(text)) return text
  throw usageError(
    `${where}: an address without user name, password, ? and # is expected; credentials belong to actors`,
  )
}

/** User name and variable of `USER:VARIABLE`; undefined if the text is no such thing. */
export function loginIn(text: string, environment: NodeJS.ProcessEnv): [string, string] | undefined {
  const [username = '', variable = ''] = text.split(/:(?=[^:]*$)/)
  const isLogin = username !== '' && !looksLikeSecret(username) && namesVariable(variable, environment)
  return isLogin ? [username, variable] : undefined
}

/** The text before the first `=`, and the rest. */
function halvesOf(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function withActor(draft: Draft, text: string, environment: NodeJS.ProcessEnv): Draft {
  const [name, place] = halvesOf(text)
  if (!actorNames.some((known) => known === name)) {
    const shown = looksLikeSecret(name) ? 'of that name' : name
    throw usageError(`--actor: there is no actor ${shown}. Known are ${actorNames.join(', ')}`)
  }
  const credential = credentialAt(place, environment)
  if (credential !== undefined) return { ...draft, actors: { ...draft.actors, [name]: { credential } } }
  throw usageError(
    `--actor ${name}: this names no environment variable, and may hold a secret, which init does not write. \
Put the credential into a variable and give its name, or give file:PATH, command:LINE or login:USER:PASSWORD_VARIABLE`,
  )
}

/** The credential as the file has it; undefined if the text names no place of a credential. */
function credentialAt(place: string, environment: NodeJS.ProcessEnv): string | object | undefined {
  const [, kind, value = ''] = /^(file|command|login):(.+)$/s.exec(place) ?? []
  if (kind === undefined) return namesVariable(place, environment) ? fromEnvironment(place) : undefined
  if (kind !== 'login') return looksLikeSecret(value) ? undefined : { [kind]: value }
  const login = loginIn(value, environment)
  return login && { login: { username: login[0], password: fromEnvironment(login[1]) } }
}

function fixturesOf(text: string): Fixtures | undefined {
  if (text === 'none') return undefined
  if (text === 'static') return { static: {} }
  const [kind, value] = halvesOf(text)
  if (!['url', 'module', 'command'].includes(kind) || value === '')
    throw usageError('--fixtures: url=URL, module=PATH, command=LINE, static or none is expected')
  if (kind === 'command' && looksLikeSecret(value))
    throw usageError(
      '--fixtures command: it seems to hold a secret; a provider reads those from its environment',
    )
  return { [kind]: value }
}

const listedIn = ({ fixtures }: Draft, kind: string): readonly object[] => fixtures?.static?.[kind] ?? []

function withListed(draft: Draft, kind: string, entry: object): Draft {
  const { fixtures } = draft
  // The key is there without a value if the user wants no fixtures.
  if ('fixtures' in draft && fixtures?.static === undefined)
    throw usageError('--collaboration and --group list fixtures: they go with --fixtures static')
  return {
    ...draft,
    fixtures: { static: { ...fixtures?.static, [kind]: [...listedIn(draft, kind), entry] } },
  }
}

function effectsIn(text: string): 'all' | OperationId[] {
  if (text === 'all') return text
  const ids = text === 'none' ? [] : listOf(text)
  const unknown = ids.find((id) => !operationIds.some((known) => known === id))
  if (unknown === undefined) return ids as OperationId[]
  throw usageError(
    `--effects: There is no operation ${unknown}. Known are all, or some of ${operationIds.join(', ')}`,
  )
}

/** The operations that actors and fixtures allow to test. Not delete-collaboration if the user lists collaborations and may want to keep them. */
function usualEffects(draft: Draft): OperationId[] {
  const { actors = {}, fixtures } = draft
  const hasKind = (kind: string): boolean =>
    fixtures !== undefined && (fixtures.static === undefined || listedIn(draft, kind).length > 0)
  return operationIds.filter((id) => {
    const needs = targetNeeds(id)
    if (id === 'delete-collaboration' && fixtures?.static !== undefined) return false
    return (needs.actors ?? []).every((name) => name in actors) && (needs.fixtures ?? []).every(hasKind)
  })
}
