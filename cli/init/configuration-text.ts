/** Configurations as YAML, with a comment on each section. */
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { actorNames } from '../../deployment/configuration/actors.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { wordsFor } from '../../reporters/wording.ts'
import { operations } from '../../specs/operations.ts'

/** A user name, and a password as the file has it: the name of an environment variable. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** A configuration as `init` writes it. It holds no secret, only where secrets are. */
export interface Draft {
  readonly target: {
    readonly baseUrl: string
    readonly version?: string
    readonly edition?: string
    readonly profile?: string
  }
  readonly portals: {
    readonly host?: { readonly id: string }
    readonly guest?: { readonly id?: string; readonly baseUrl: string }
  }
  /** Absent: the user names callers and fixtures. */
  readonly administration?: { readonly host: Login; readonly guest?: Login; readonly users: string }
  readonly actors?: Readonly<Record<string, { readonly credential: string }>>
  readonly http?: { readonly ca: string }
}

/** The value of an environment variable, as a configuration names it. */
export const fromEnvironment = (variable: string): string => `\${${variable}}`

const named = fromEnvironment('NAME')

interface Section {
  readonly key: keyof Draft | 'authentication' | 'fixtures' | 'contract' | 'effects' | 'run'
  readonly about: string
  /** What the section can look like. A configuration with logins needs no more than it has. */
  readonly example?: string
}

/** In the order of the file. */
const sections: readonly Section[] = [
  {
    key: 'target',
    about: `The paths of the contract begin at baseUrl. Without version and edition, every operation is expected to be there.
profile settles points that the contract leaves open: none, a built-in profile (arcgis), or a file.`,
  },
  {
    key: 'authentication',
    about:
      'How a request carries the credential. Left out: as the profile says, or in the form field token. check: a page that\nonly a valid credential can see; each credential is tried on it once before a run.',
    example: '{ in: form, name: token, check: /community/self }',
  },
  {
    key: 'portals',
    about: `Ids of the portals, as paths name them. baseUrl is needed where a portal answers elsewhere.
Without a guest, what needs it is not tested.`,
  },
  {
    key: 'administration',
    about: `Logins of administrators: with them, a run creates what it needs, and removes it at its end.
users: create lets a run create users and roles, too. With none, checks that need them are not tested.`,
  },
  {
    key: 'actors',
    about: `Callers, by their role in the contract. One user may have several roles, if each is true of that user.
credential: ${named}, { file: PATH }, { command: LINE } or { login: { username, password: ${named} } }.
Without a username, the checks that need the name are not tested. Roles are
${actorNames.map((name) => `- ${name}: ${wordsFor(`actors.${name}`)}`).join('\n')}`,
    example: `{ hostAdministrator: { credential: ${named}, username: NAME } }`,
  },
  {
    key: 'fixtures',
    about: `Fixtures: what a run may change, from a provider (url, module or command) or a list (static). Without them, a run can
test hardly anything. Workspaces that a run adds to listed collaborations stay. Where delete-collaboration is allowed
below, a run deletes each listed collaboration that it takes, also where it only added to it.`,
    example:
      '{ static: { collaboration: [{ collaborationId: ID }], group: [{ groupId: ID }] } }   # or { url: http://127.0.0.1:8090 }',
  },
  {
    key: 'contract',
    about:
      'How this deployment settles open points of the contract; overrides the profile. Left out: not tested.',
    example: '{ sync: { parameter: async, synchronous: "false", asynchronous: "true" } }',
  },
  {
    key: 'http',
    about:
      'How fast a run sends requests. Left out: 4 at a time (8 to this machine), without a limit for each second.',
    example: '{ concurrency: 2, requestsPerSecond: 10, timeout: 10s }',
  },
  { key: 'effects', about: 'What a run may do on this deployment. Everything else is not tested.' },
  {
    key: 'run',
    about:
      'How many cases a run tries, and how long it waits. guestRefresh: the longest time until a guest loses a deleted\ncollaboration.',
    example: '{ runs: 25, settle: 2s, guestRefresh: 30s }',
  },
]

const commented = (text: string): string => text.replace(/^/gm, '# ')

/** The whole file. */
export function configurationText(draft: Draft): string {
  const head = `A configuration of portal-conformance. It holds no secrets: ${named} is the value of an environment variable.
Leave out what you do not have: a run reports what needs it as not tested, never as passed.`
  const parts = sections.flatMap(({ key, about, example }) => {
    const value = (draft as Partial<Record<Section['key'], unknown>>)[key]
    if (key === 'effects') return [`${commented(about)}\n${effectsText(draft)}`]
    if (value !== undefined) return [`${commented(about)}\n${stringify({ [key]: value }, { lineWidth: 0 })}`]
    if (example === undefined || (draft.administration !== undefined && key !== 'run')) return []
    return [`${commented(`${about}\n${key}: ${example}`)}\n`]
  })
  return `${commented(head)}\n\n${parts.join('\n')}`
}

/** All operations: with logins a run may perform them, without logins the user takes away the #. */
function effectsText({ administration }: Draft): string {
  const isAllowed = administration !== undefined
  const making = { id: 'administration', effect: 'creates the fixtures of a run, and removes them' }
  const lines = [...(isAllowed ? [making] : []), ...operations].map(({ id, effect }) => {
    const entry = `${isAllowed ? '' : '# '}- ${id}`
    return `  ${entry.padEnd(26)} # ${effect}\n`
  })
  return `effects:${isAllowed ? '' : ' []'}\n${lines.join('')}`
}

/** The names of the variables, each once, in the order of the draft. */
export function variablesIn(draft: Draft): string[] {
  const found = JSON.stringify(draft).matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)
  return [...new Set([...found].map(([, name]) => name as string))]
}

/**
 * The line by which editors check and complete a configuration. It names the schema of this package if the package is
 * installed in the project of the file, else the published schema.
 */
export function schemaComment(file: string): string {
  const own = fileURLToPath(new URL('../../schemas/configuration.schema.json', import.meta.url))
  const folder = dirname(resolve(file))
  const [project, inPackage] = own.split(`${sep}node_modules${sep}`)
  const isOfProject = inPackage !== undefined && `${folder}${sep}`.startsWith(`${project}${sep}`)
  const schema = isOfProject
    ? `./${relative(folder, own).split(sep).join('/')}`
    : `https://unpkg.com/portal-conformance@${suiteVersion}/dist/schemas/configuration.schema.json`
  return `# yaml-language-server: $schema=${schema}`
}
