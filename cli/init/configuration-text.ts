/** Configurations as YAML, with comments on each part and on what its absence means, and whether they will load. */
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parse, parseDocument, stringify, visit } from 'yaml'
import { actorNames } from '../../deployment/configuration/actors.ts'
import type { Actor, Configuration } from '../../deployment/configuration/configuration.ts'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { wordsFor } from '../../reporters/wording.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { operations } from '../../specs/operations.ts'
import {
  type ActorChoice,
  type Choices,
  type CredentialPlace,
  type FixtureChoice,
  type LoginChoice,
  type LoginChoices,
  usualEffects,
  usualVariable,
} from './choices.ts'

/** The value of an environment variable, as a configuration names it. */
export const fromEnvironment = (variable: string): string => `\${${variable}}`

const named = fromEnvironment('NAME')

const firstComment = `# A configuration of portal-conformance. It holds no secrets: ${named} is the value of an environment variable.`

const effectsComment = '# What a run may do on this deployment. Everything else is not tested.'

const runComment = `# How many cases a run tries, and how long it waits. guestRefresh: the longest time until a guest loses a deleted collaboration.
# run: { runs: 25, settle: 2s, guestRefresh: 30s }`

/** The whole file. It holds no secret, only where secrets are. */
export function configurationText(choices: Choices): string {
  const { baseUrl, release, edition, profile = 'none', hostId, guestId } = choices
  return `${firstComment}
# Leave out what you do not have: a run reports what needs it as not tested, never as passed.

target:
  # The paths of the contract begin here.
  baseUrl: ${inYaml(baseUrl)}
  # Operations of later releases are not judged. Left out: every operation is expected to be there.
  ${given('version', release, '11.0')}
  # self-hosted or hosted. Left out: operations of any edition are judged.
  ${given('edition', edition, 'self-hosted')}
  # The profile settles points that the contract leaves open: none, a built-in profile (arcgis), or a file.
  profile: ${inYaml(profile)}

# How a request carries the credential. Left out: as the profile says, or in the form field token.
${authenticationText(choices)}

# Ids of the portals, as paths name them. baseUrl is needed where a portal answers elsewhere.
portals:
  host: { id: ${inYaml(hostId)} }
  # A guest that takes part in the collaborations. Left out: what needs it is not tested.
  ${guestId === undefined ? '# guest: { id: "…", baseUrl: https://guest.example.com/sharing/rest }' : `guest: { id: ${inYaml(guestId)} }`}

# Callers, by their role in the contract. One user may have several roles, if each is true of that user.
# credential: ${named}, { file: PATH }, { command: LINE } or { login: { username, password: ${named} } }.
${actorsText(choices)}
# Fixtures: what a run may change. They come from a provider (url, module or command) or a list here (static).
# Left out: a run can test hardly anything.
${fixturesText(choices)}

# How this deployment settles open points of the contract; overrides the profile. Left out: not tested.
# contract:
#   sync: { parameter: async, synchronous: "false", asynchronous: "true" }
#   run: { statuses: [executing, succeeded, failed] }

${effectsText(choices)}

# How fast a run sends requests. Left out: 4 at a time (8 to this machine), without a limit for each second.
# http: { concurrency: 2, requestsPerSecond: 10, timeout: 10s }
${runComment}
`
}

/** `key: value`, or a comment that shows how it would look. */
const given = (key: string, value: string | undefined, example: string): string =>
  value === undefined ? `# ${key}: ${inYaml(example)}` : `${key}: ${inYaml(value)}`

function authenticationText({ auth }: Choices): string {
  if (auth === undefined) return '# authentication: { in: form, name: token }'
  const { in: place, name, prefix } = auth
  return `authentication:
  in: ${place}
  name: ${inYaml(name)}${prefix === undefined ? '' : `\n  prefix: ${JSON.stringify(prefix)}`}
  # A page that only a valid credential can see: each is tried on it once before a run. Left out: not tried.
  # check: /community/self`
}

function actorsText({ actors }: Choices): string {
  const left = actorNames.filter((name) => actors.every((actor) => actor.name !== name))
  const notOffered = left.map(
    (name) => `  # ${name}: { credential: "${fromEnvironment(usualVariable(name))}", username: … }
  #     ${wordsFor(`actors.${name}`)}
`,
  )
  return `actors:${actors.length === 0 ? ' {}' : ''}
${actors.map(actorText).join('')}${left.length === 0 ? '' : '  # Not offered so far; take away the # of those that you can offer:\n'}${notOffered.join('')}`
}

function actorText({ name, credential, username }: ActorChoice): string {
  const exampleUser = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `  # ${wordsFor(`actors.${name}`)}
  ${name}:
    credential: ${credentialText(credential)}
    # Left out: the checks that need the name are not tested.
    ${given('username', username, exampleUser)}
`
}

function credentialText(credential: CredentialPlace): string {
  if ('variable' in credential) return fromEnvironment(credential.variable)
  if ('file' in credential) return `{ file: ${inYaml(credential.file)} }`
  if ('command' in credential) return `{ command: ${JSON.stringify(credential.command)} }`
  const { username, variable } = credential.login
  return `{ login: { username: ${JSON.stringify(username)}, password: "${fromEnvironment(variable)}" } }`
}

function effectsText(choices: Choices): string {
  const { effects = usualEffects(choices) } = choices
  const allowed = operations.filter(({ id }) => effects === 'all' || effects.some((each) => each === id))
  const entries = operations.map((operation) => {
    const entry = `${allowed.includes(operation) ? '' : '# '}- ${operation.id}`
    return `  ${entry.padEnd(26)} # ${operation.effect}`
  })
  return `${effectsComment}\neffects:${allowed.length === 0 ? ' []' : ''}\n${entries.join('\n')}`
}

function fixturesText({ fixtures, guestId }: Choices): string {
  if (fixtures === undefined) return '# fixtures: { url: http://127.0.0.1:8090 }'
  if ('collaborations' in fixtures) return staticText(fixtures, guestId)
  if ('url' in fixtures) return `fixtures: { url: ${inYaml(fixtures.url)} }`
  if ('module' in fixtures) return `fixtures: { module: ${JSON.stringify(fixtures.module)} }`
  return `fixtures: { command: ${JSON.stringify(fixtures.command)} }`
}

function staticText(
  { collaborations, groups }: Extract<FixtureChoice, { collaborations: unknown }>,
  guestId: string | undefined,
): string {
  const places = collaborations.map((id) => `collaborationId: ${inYaml(id)}`)
  const joined =
    guestId === undefined ? [] : places.map((at) => `${at}, participantPortalId: ${inYaml(guestId)}`)
  const linked = groups.map((id) => `groupId: ${inYaml(id)}`)
  return `fixtures:
  static:
    # Hosted by the host. A run adds workspaces, and they stay. Where delete-collaboration is allowed below, a run
    # deletes each collaboration that it takes from this list, also where it only added to it.
${listText('collaboration', places, 'collaborationId: …')}
    # Groups of the host that workspaces may be linked to. Without one, no workspace can be added.
${listText('group', linked, 'groupId: …')}
    # Participants whose contact person a run changes (update-participant).
${listText('participant', joined, 'collaborationId: …, participantPortalId: …')}
    # Further kinds, each a list:
    # workspace:      [{ collaborationId: …, workspaceId: …, minimumSyncMs: 0 }]
    # items:          [{ owner: user name, itemIds: [ … ] }]
    # eligibleUser:   [{ username: … }]      who may receive items
    # ineligibleUser: [{ username: … }]      who may not
    # taskRun:        [{ userName: …, taskId: …, runId: … }]
    # guestHosted:    [{ collaborationId: … }]   of the guest itself; nothing is done to it
    # participantElsewhere: [{ collaborationId: …, participantPortalId: …, elsewhereId: …, elsewherePortalId: … }]
    # partlyReceivable: [{ owner: …, username: …, receivable: [ … ], notReceivable: [ … ] }]
    # federation:     [{ federationId: … }]`
}

function listText(kind: string, entries: readonly string[], example: string): string {
  if (entries.length === 0) return `    ${kind}: []\n    #   - { ${example} }`
  return [`    ${kind}:`, ...entries.map((entry) => `      - { ${entry} }`)].join('\n')
}

/** Without quotes if YAML reads the text back unchanged. */
function inYaml(text: string): string {
  const plain = /^[A-Za-z][\w./:-]*[\w/-]$/.test(text) && parse(text) === text
  return plain ? text : JSON.stringify(text)
}

/** A configuration of logins alone, which may do everything. */
export function loginsValue({ baseUrl, host, guestUrl, guest, users, ca, profile }: LoginChoices) {
  const login = ({ username, variable }: LoginChoice) => ({ username, password: fromEnvironment(variable) })
  return withoutUndefined({
    target: { baseUrl, profile },
    portals: guestUrl && { guest: { baseUrl: guestUrl } },
    administration: withoutUndefined({ host: login(host), guest: guest && login(guest), users }),
    effects: 'all',
    http: ca === undefined ? undefined : { ca },
  })
}

/** The whole file of a configuration from logins, with what was read from the deployment. It holds no secret. */
export function loginsText(
  choices: LoginChoices,
  { target, portals, administration }: Configuration,
): string {
  const { logins } = administration ?? {}
  const spelled = (choice: LoginChoice, login: Actor | undefined): LoginChoice => ({
    ...choice,
    username: login?.username ?? choice.username,
  })
  const {
    effects: _,
    target: __,
    portals: ___,
    ...rest
  } = loginsValue(
    withoutUndefined({
      ...choices,
      host: spelled(choices.host, logins?.host),
      guest: choices.guest && spelled(choices.guest, logins?.guest),
    }),
  )
  const { baseUrl, profile, guestUrl } = choices
  const { version, edition } = target
  const found = {
    target: withoutUndefined({ baseUrl, version, edition, profile }),
    portals: withoutUndefined({
      host: { id: portals.host.id },
      guest: guestUrl && { id: portals.guest?.id ?? '', baseUrl: guestUrl },
    }),
  }
  // It does not guess the release.
  const readFrom =
    version === undefined
      ? 'Edition and ids were read from the deployment. Release unknown: every operation is judged. target.version sets it.'
      : 'Release, edition and ids were read from the deployment.'
  return `${firstComment}
# ${readFrom}
${stringify(found)}
# Logins of administrators: with them, a run creates what it needs, and removes it at its end.
# users: create lets a run create users and roles, too. With none, checks that need them are not tested.
${stringify(rest)}
${effectsComment}
effects:
  - ${'administration'.padEnd(22)} # creates the fixtures of a run, and removes them
${operations.map(({ id, effect }) => `  - ${id.padEnd(22)} # ${effect}`).join('\n')}

${runComment}
`
}

/** Throws a ConfigurationError if the configuration will not load when its variables are set. Files may still be missing. */
export function refuseWrong(text: string, name: string, environment: NodeJS.ProcessEnv): void {
  const standIn = (variable: string): string =>
    variable === 'PORTAL_BASE_URL' ? 'https://portal.example.com/rest' : 'stand-in'
  const standIns = Object.fromEntries(variablesIn(text).map((each) => [each, standIn(each)]))
  try {
    loadConfiguration({ value: parse(text), name }, {}, { ...standIns, ...environment })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const problems = error.problems.filter((problem) => !problem.endsWith('cannot be read'))
    if (problems.length > 0) throw new ConfigurationError(problems)
  }
}

/** The names of the variables, each once, in the order of the file. Comments do not count. */
export function variablesIn(text: string): string[] {
  const names = new Set<string>()
  visit(parseDocument(text), {
    Scalar: (_, { value }) => {
      if (typeof value !== 'string') return
      for (const [, name] of value.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)) names.add(name as string)
    },
  })
  return [...names]
}

/**
 * The line by which editors check and complete a configuration. It names the schema of the package that is installed for
 * the folder of the file, else the published schema.
 */
export function schemaComment(file: string): string {
  const schema = join('portal-conformance', 'dist', 'schemas', 'configuration.schema.json')
  const published = `https://unpkg.com/portal-conformance@${suiteVersion}/dist/schemas/configuration.schema.json`
  const folder = dirname(resolve(file))
  const installed = foldersFrom(folder)
    .map((above) => join(above, 'node_modules', schema))
    .find((path) => existsSync(path))
  return `# yaml-language-server: $schema=${installed === undefined ? published : fromFolder(folder, installed)}`
}

function foldersFrom(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}

function fromFolder(folder: string, path: string): string {
  const way = relative(folder, path).split(sep).join('/')
  return way.startsWith('.') ? way : `./${way}`
}
