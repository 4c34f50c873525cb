/** A configuration as YAML, with comments on each part and on what its absence means. */
import { parse } from 'yaml'
import { type ActorName, actorNames } from '../../deployment/configuration/actors.ts'
import { wordsFor } from '../../reporters/wording.ts'
import { type OperationId, operations } from '../../specs/operations.ts'
import {
  type ActorChoice,
  type Choices,
  type CredentialPlace,
  type FixtureChoice,
  usualEffects,
  usualVariable,
} from './choices.ts'

/** The value of an environment variable, as a configuration names it. */
export const fromEnvironment = (variable: string): string => `\${${variable}}`

const named = fromEnvironment('NAME')

/** The first line of every file. */
export const firstComment = `# A configuration of portal-conformance. It holds no secrets: ${named} is the value of an environment variable.`

/** The whole file. It holds no secret, only where secrets are. */
export function configurationText(choices: Choices): string {
  return `${[
    firstComment,
    '# Leave out what you do not have: a run reports what needs it as not tested, never as passed.',
    '',
    ...targetLines(choices),
    '',
    ...authenticationLines(choices),
    '',
    ...portalLines(choices),
    '',
    ...actorLines(choices),
    '',
    ...fixtureLines(choices),
    '',
    ...contractLines,
    '',
    ...effectLines(choices.effects ?? usualEffects(choices)),
    '',
    ...endLines,
  ].join('\n')}\n`
}

/** `key: value`, or a comment that shows how it would look. */
const given = (key: string, value: string | undefined, example: string): string =>
  value === undefined ? `# ${key}: ${inYaml(example)}` : `${key}: ${inYaml(value)}`

function targetLines({ baseUrl, version, edition, profile }: Choices): string[] {
  return [
    'target:',
    '  # The paths of the contract begin here.',
    `  baseUrl: ${inYaml(baseUrl)}`,
    '  # Operations of later releases are not judged. Left out: every operation is expected to be there.',
    `  ${given('version', version, '11.0')}`,
    '  # self-hosted or hosted. Left out: operations of any edition are judged.',
    `  ${given('edition', edition, 'self-hosted')}`,
    '  # The profile settles points that the contract leaves open: none, a built-in profile (arcgis), or a file.',
    `  profile: ${inYaml(profile ?? 'none')}`,
  ]
}

function authenticationLines({ authentication }: Choices): string[] {
  const about =
    '# How a request carries the credential. Left out: as the profile says, or in the form field token.'
  if (authentication === undefined) return [about, '# authentication: { in: form, name: token }']
  const { in: place, name, prefix } = authentication
  return [
    about,
    'authentication:',
    `  in: ${place}`,
    `  name: ${inYaml(name)}`,
    ...(prefix === undefined ? [] : [`  prefix: ${JSON.stringify(prefix)}`]),
    '  # A page that only a valid credential can see: each is tried on it once before a run. Left out: not tried.',
    '  # check: /community/self',
  ]
}

function portalLines({ hostId, guestId }: Choices): string[] {
  return [
    '# Ids of the portals, as paths name them. baseUrl is needed where a portal answers elsewhere.',
    'portals:',
    `  host: { id: ${inYaml(hostId)} }`,
    '  # A guest that takes part in the collaborations. Left out: what needs it is not tested.',
    guestId === undefined
      ? '  # guest: { id: "…", baseUrl: https://guest.example.com/sharing/rest }'
      : `  guest: { id: ${inYaml(guestId)} }`,
  ]
}

function actorLines({ actors }: Choices): string[] {
  const left = actorNames.filter((name) => actors.every((actor) => actor.name !== name))
  return [
    '# Callers, by their role in the contract. One user may have several roles, if each is true of that user.',
    `# credential: ${named}, { file: PATH }, { command: LINE } or { login: { username, password: ${named} } }.`,
    actors.length === 0 ? 'actors: {}' : 'actors:',
    ...actors.flatMap(actorEntry),
    ...(left.length === 0 ? [] : ['  # Not offered so far; take away the # of those that you can offer:']),
    ...left.flatMap((name) => [
      `  # ${name}: { credential: "${fromEnvironment(usualVariable(name))}", username: … }`,
      `  #     ${wordsFor(`actors.${name}`)}`,
    ]),
  ]
}

function actorEntry({ name, credential, username }: ActorChoice): string[] {
  return [
    `  # ${wordsFor(`actors.${name}`)}`,
    `  ${name}:`,
    `    credential: ${credentialText(credential)}`,
    '    # Left out: the checks that need the name are not tested.',
    `    ${given('username', username, exampleUser(name))}`,
  ]
}

const exampleUser = (name: ActorName): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function credentialText(credential: CredentialPlace): string {
  if ('variable' in credential) return fromEnvironment(credential.variable)
  if ('file' in credential) return `{ file: ${inYaml(credential.file)} }`
  if ('command' in credential) return `{ command: ${JSON.stringify(credential.command)} }`
  const { username, passwordVariable } = credential.login
  return `{ login: { username: ${JSON.stringify(username)}, password: "${fromEnvironment(passwordVariable)}" } }`
}

const contractLines = [
  '# How this deployment settles open points of the contract; overrides the profile. Left out: not tested.',
  '# contract:',
  '#   sync: { parameter: async, synchronous: "false", asynchronous: "true" }',
  '#   run: { statuses: [executing, succeeded, failed] }',
]

function effectLines(effects: 'all' | readonly OperationId[]): string[] {
  const allowed = effects === 'all' ? operations.map(({ id }) => id as OperationId) : effects
  const entries = operations.map(({ id, effect }) => {
    const entry = allowed.some((each) => each === id) ? `- ${id}` : `# - ${id}`
    return `  ${entry.padEnd(26)} # ${effect}`
  })
  return [
    '# What a run may do on this deployment. Everything else is not tested.',
    allowed.length === 0 ? 'effects: []' : 'effects:',
    ...entries,
  ]
}

const endLines = [
  '# How fast a run sends requests. Left out: 4 at a time (8 to this machine), without a limit for each second.',
  '# http: { concurrency: 2, requestsPerSecond: 10, timeout: 10s }',
  '# How many cases a run tries, and how long it waits. guestRefresh: the longest time until a guest loses a deleted collaboration.',
  '# run: { runs: 25, settle: 2s, guestRefresh: 30s }',
]

const about = [
  '# Fixtures: what a run may change. They come from a provider (url, module or command) or a list here (static).',
  '# Left out: a run can test hardly anything.',
]

function fixtureLines(choices: Choices): string[] {
  const { fixtures } = choices
  if (fixtures === undefined) return [...about, '# fixtures: { url: http://127.0.0.1:8090 }']
  if ('collaborations' in fixtures) return [...about, 'fixtures:', '  static:', ...listed(fixtures, choices)]
  return [...about, `fixtures: ${sourceText(fixtures)}`]
}

function sourceText(fixtures: Exclude<FixtureChoice, { collaborations: unknown }>): string {
  if ('url' in fixtures) return `{ url: ${inYaml(fixtures.url)} }`
  if ('module' in fixtures) return `{ module: ${JSON.stringify(fixtures.module)} }`
  return `{ command: ${JSON.stringify(fixtures.command)} }`
}

function listed(
  { collaborations, groups }: Extract<FixtureChoice, { collaborations: unknown }>,
  { guestId }: Choices,
): string[] {
  return [
    '    # Hosted by the host. A run adds workspaces, and they stay. Where delete-collaboration is allowed below, a run',
    '    # deletes each collaboration that it takes from this list, also where it only added to it.',
    ...pool(
      'collaboration',
      collaborations.map((id) => `{ collaborationId: ${inYaml(id)} }`),
      '{ collaborationId: … }',
    ),
    '    # Groups of the host that workspaces may be linked to. Without one, no workspace can be added.',
    ...pool(
      'group',
      groups.map((id) => `{ groupId: ${inYaml(id)} }`),
      '{ groupId: … }',
    ),
    '    # Participants whose contact person a run changes (update-participant).',
    ...pool(
      'participant',
      guestId === undefined
        ? []
        : collaborations.map(
            (id) => `{ collaborationId: ${inYaml(id)}, participantPortalId: ${inYaml(guestId)} }`,
          ),
      '{ collaborationId: …, participantPortalId: … }',
    ),
    ...others.map((line) => `    # ${line}`),
  ]
}

function pool(kind: string, entries: readonly string[], example: string): string[] {
  if (entries.length === 0) return [`    ${kind}: []`, `    #   - ${example}`]
  return [`    ${kind}:`, ...entries.map((entry) => `      - ${entry}`)]
}

const others = [
  'Further kinds, each a list:',
  'workspace:      [{ collaborationId: …, workspaceId: …, minimumSyncMs: 0 }]',
  'items:          [{ owner: user name, itemIds: [ … ] }]',
  'eligibleUser:   [{ username: … }]      who may receive items',
  'ineligibleUser: [{ username: … }]      who may not',
  'taskRun:        [{ userName: …, taskId: …, runId: … }]',
  'guestHosted:    [{ collaborationId: … }]   of the guest itself; nothing is done to it',
  'participantElsewhere: [{ collaborationId: …, participantPortalId: …, elsewhereId: …, elsewherePortalId: … }]',
  'partlyReceivable: [{ owner: …, username: …, receivable: [ … ], notReceivable: [ … ] }]',
  'federation:     [{ federationId: … }]',
]

/** Without quotes if YAML reads the text back unchanged. */
function inYaml(text: string): string {
  const plain = /^[A-Za-z][\w./:-]*[\w/-]$/.test(text) && parse(text) === text
  return plain ? text : JSON.stringify(text)
}
