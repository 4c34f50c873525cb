/** The settings of a configuration without logins: each is an option, a question on a terminal, and a part of the file. */
import { Option } from 'commander'
import { actorNames } from '../../deployment/configuration/actors.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { profiles } from '../../specs/profile.ts'
import { listOf } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import { type Draft, type Fixtures, fromEnvironment } from './configuration-text.ts'
import type { Dialogue, Question } from './dialogue.ts'
import { looksLikeSecret, namesVariable } from './secret-texts.ts'

interface Setting {
  readonly option: Option
  /** The option is repeatable, and an answer may hold several texts between commas. */
  readonly several?: true
  /** Undefined: not asked because of what is written so far. */
  readonly question: (draft: Draft) => Omit<Question<unknown>, 'read'> | undefined
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

/** In the order of the questions. */
export const settings: Readonly<Record<Name, Setting>> = {
  baseUrl: {
    option: new Option('--base-url <URL>', 'base URL of the deployment'),
    question: () => ({
      text: 'Base URL of the deployment (the paths of the contract are relative to it)',
      standard: fromEnvironment('PORTAL_BASE_URL'),
    }),
    writes: (draft, text) => withTarget(draft, { baseUrl: addressOf('--base-url', text) }),
  },
  hostId: {
    option: new Option('--host-id <ID>', 'id of the host portal'),
    question: () => ({ text: 'Id of the host portal', standard: fromEnvironment('HOST_PORTAL_ID') }),
    writes: (draft, id) => ({ ...draft, portals: { ...draft.portals, host: { id } } }),
  },
  guestId: {
    option: new Option('--guest-id <ID>', 'id of a guest portal that takes part in the collaborations'),
    question: () => ({ text: 'Id of a guest portal that takes part in collaborations', standard: '' }),
    writes: (draft, id) => ({ ...draft, portals: { ...draft.portals, guest: { id } } }),
  },
  profile: {
    option: new Option('--profile <NAME>', 'what settles open points: none, arcgis, or a file'),
    question: () => ({
      about: 'A profile settles points that the contract leaves open, for one kind of deployment.',
      text: `Profile: ${['none', ...profiles.map(({ name }) => name)].join(', ')}, or a file`,
      standard: '',
    }),
    writes: (draft, profile) => withTarget(draft, { profile }),
  },
  auth: {
    option: new Option('--auth <PLACE>', 'where a request carries the credential').choices(
      Object.keys(places),
    ),
    question: () => ({
      text: 'Where a request carries the credential',
      choices: Object.keys(places),
      standard: 'form',
    }),
    writes: (draft, place) => ({ ...draft, authentication: places[place] as object }),
  },
  release: {
    // Not `version`: the program has an option `--version`.
    option: new Option('--release <RELEASE>', 'release of the deployment, such as 11.0'),
    question: () => ({ text: 'Release of the deployment, such as 11.0', standard: '' }),
    writes: (draft, version) => withTarget(draft, { version }),
  },
  edition: {
    option: new Option('--edition <EDITION>', 'edition of the deployment').choices(editions),
    question: () => ({
      text: 'Edition of the deployment',
      choices: [...editions, 'none'],
      standard: 'none',
    }),
    writes: (draft, edition) => withTarget(draft, { edition }),
  },
  actor: {
    option: new Option('--actor <NAME=VARIABLE>', 'a caller and where its credential is; repeatable'),
    several: true,
    question: () => ({
      about: `A caller is a user whose credential you have. Callers are ${actorNames.join(', ')}. Name the environment variable of each credential; init does not ask for the credential itself. Other sources are file:PATH, command:LINE and login:USER:VARIABLE.`,
      text: 'Callers that you have, comma-separated, each as NAME=VARIABLE',
      standard: 'hostAdministrator=HOST_ADMINISTRATOR_TOKEN',
    }),
    writes: withActor,
  },
  username: {
    option: new Option('--username <NAME=USER>', 'the user name of a caller; repeatable'),
    several: true,
    question: ({ actors }) =>
      actors && { text: 'Their user names, comma-separated, each as NAME=USER', standard: '' },
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
    question: () => ({
      about: 'Fixtures are the collaborations, groups and items that a run may change.',
      text: 'Fixtures: static (ids that you list), url=URL, module=PATH, command=LINE, or none',
      standard: 'static',
    }),
    writes: (draft, text) => ({ ...draft, fixtures: fixturesOf(text) }),
  },
  collaboration: {
    option: new Option('--collaboration <ID>', 'a collaboration that a run may add to; repeatable'),
    several: true,
    question: listing('Ids of collaborations of the host that a run may add workspaces to, comma-separated'),
    writes: (draft, collaborationId) => {
      const guest = draft.portals.guest?.id
      const listed = withListed(draft, 'collaboration', { collaborationId })
      if (guest === undefined) return listed
      return withListed(listed, 'participant', { collaborationId, participantPortalId: guest })
    },
  },
  group: {
    option: new Option('--group <ID>', 'a group of the host that workspaces may be linked to; repeatable'),
    several: true,
    question: listing('Ids of groups of the host that a run may link to workspaces, comma-separated'),
    writes: (draft, groupId) => withListed(draft, 'group', { groupId }),
  },
  effects: {
    option: new Option('--effects <LIST>', 'what a run may do there: all, none, or ids of operations'),
    question: (draft) => ({
      text: `What a run may do there: all, none, or operations, comma-separated${
        listedIn(draft, 'collaboration').length > 0
          ? ' (delete-collaboration deletes the collaborations that you listed)'
          : ''
      }`,
      standard: usualEffects(draft).join(',') || 'none',
    }),
    writes: (draft, text) => ({ ...draft, effects: effectsIn(text) }),
  },
}

/** The values of the options. */
export type SettingOptions = Readonly<Partial<Record<Name, string | readonly string[]>>>

/** What the options say, and on a terminal the answers to all other questions. */
export async function askForSettings(
  options: SettingOptions,
  environment: NodeJS.ProcessEnv,
  refuse: (draft: Draft) => void,
  dialogue?: Dialogue,
): Promise<Draft> {
  let draft: Draft = { target: {}, portals: {} }
  for (const [name, { several, question, writes }] of Object.entries(settings)) {
    const given = options[name as Name]
    const written = (texts: readonly string[]): Draft =>
      texts.reduce((before, text) => writes(before, text, environment), draft)
    const asked = question(draft)
    if (given !== undefined) draft = written([given].flat())
    else if (dialogue !== undefined && asked !== undefined)
      draft = await dialogue.ask({
        ...asked,
        // Asks again if the configuration would be refused because of the answer.
        read: (answer) => {
          const nothing = name !== 'effects' && (answer === '' || answer === 'none')
          const next = written(nothing ? [] : several ? listOf(answer) : [answer])
          refuse(next)
          return next
        },
      })
  }
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

function listing(text: string): Setting['question'] {
  return ({ fixtures }) => (fixtures?.static === undefined ? undefined : { text, standard: '' })
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
