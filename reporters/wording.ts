/** The words that all reports use: outcomes, verdicts, parts of the contract, counts, durations, and what can be added to a configuration. */
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { operationIds, operations } from '../specs/operations.ts'
import { type Outcome, outcomes, type Verdict } from '../specs/outcomes.ts'
import type { Subject } from '../specs/requirements.ts'
import type { Results } from './results.ts'

/** A sign and a word, so that outcomes differ without colour or font. */
export const outcomeWords: Readonly<Record<Outcome, { readonly sign: string; readonly word: string }>> = {
  passed: { sign: '✓', word: 'passed' },
  failed: { sign: '✗', word: 'failed' },
  warned: { sign: '!', word: 'warned' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  'not-tested': { sign: '–', word: 'not tested' },
  'not-applicable': { sign: '·', word: 'not applicable' },
  waived: { sign: '~', word: 'waived' },
}

/** `✓ passed`. */
export function signed(outcome: Outcome): string {
  const { sign, word } = outcomeWords[outcome]
  return `${sign} ${word}`
}

/** A verdict has the style of the outcome that determines it. */
export const verdictLooks = {
  conformant: 'passed',
  'non-conformant': 'failed',
  incomplete: 'inconclusive',
} as const satisfies Record<Verdict, Outcome>

/** `✗ 1 failed, ✓ 18 passed`. */
export function countsInWords(counts: Readonly<Record<Outcome, number>>): string {
  return outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${outcomeWords[outcome].sign} ${counts[outcome]} ${outcomeWords[outcome].word}`)
    .join(', ')
}

const otherSubjects: Partial<Record<Subject, string>> = {
  protocol: 'Common rules of all operations (§4)',
  lifecycle: 'Interplay of the operations',
  profile: 'Rules of the profile',
}

/** The title of an operation with its section, or of the part common to all. */
export function titleOf(subject: Subject): string {
  const operation = operations.find(({ id }) => id === subject)
  return operation === undefined
    ? (otherSubjects[subject] ?? subject)
    : `${operation.title} (§${operation.section})`
}

/** The title of an operation. Other texts stay unchanged. */
export function operationTitle(id: string): string {
  return operations.find((operation) => operation.id === id)?.title ?? id
}

/** Operations: `all operations`, or their ids with commas. */
export function placesOf(subjects: readonly string[]): string {
  const where = [...new Set(subjects)]
  return operationIds.every((id) => where.includes(id)) ? 'all operations' : where.join(', ')
}

/** `release 11.0, self-hosted, profile arcgis`. */
export function targetWords({ version, edition, profile }: Results['target']): string {
  return [
    version === undefined ? 'release not configured' : `release ${version}`,
    ...(edition === undefined ? [] : [edition]),
    ...(profile === 'none' ? [] : [`profile ${profile}`]),
  ].join(', ')
}

/** The text with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A number for people: 1,289. */
export const numeral = (count: number): string => count.toLocaleString('en-US')

/** `1 check`, `2 checks`. */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${numeral(count)} ${count === 1 ? one : several}`
}

/** `25 cases of each generated check`. A quick run, with 0, has one case of each. */
export const casesOf = (runs: number): string => `${countOf(runs || 1, 'case')} of each generated check`

/** The first names, separated by commas, and the number of the others. */
export function names<Name>(all: readonly Name[], most = 12, words: (name: Name) => string = String): string {
  const left = all.length - most
  const shown = all.slice(0, most).map(words).join(', ')
  return left > 0 ? `${shown} and ${left} more` : shown
}

/** A duration as people read it: `12 ms`, `5.1 s`, `2 min 5 s`. */
export function durationOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const fixtures: Readonly<Record<FixtureKind, string>> = {
  collaboration:
    'collaborations of the host that the run may add to; each check that deletes uses up its own',
  guestHosted: 'a collaboration that the guest hosts itself; it stays unchanged',
  workspace: 'workspaces of collaborations, whose syncs the run may start',
  scheduledSync: 'workspaces whose scheduled sync is running at that moment; only a provider can have them',
  participant: 'participants of collaborations, whose contact the run may change',
  participantElsewhere: 'two guests without a common collaboration, whose contacts the run may change',
  group: 'groups of the host that workspaces may be linked to',
  items: 'items that the run may give to other owners',
  eligibleUser: 'users who may receive items',
  ineligibleUser: 'users who lack the privileges to receive items',
  partlyReceivable: 'items that a user can receive in part only',
  taskRun: 'runs of scheduled tasks, whose status the run may change',
  federation: 'SAML federations that the run may change',
}

const others: Readonly<Record<string, string>> = {
  'administration.host': 'the login of an administrator of the host, which must work',
  'administration.guest': 'the login of an administrator of the guest, which must work',
  'administration.users: create': 'lets the run create users and roles',
  'contract.sync': 'the mode parameter of sync workspace: parameter, synchronous and asynchronous',
  'contract.run.statuses': 'the statuses that a task run may have here',
  'contract.newWorkspacesSync': 'true if a workspace can be synced as soon as it is added',
  'run.guestRefresh': 'the longest time until a guest loses a deleted collaboration',
  'http.concurrency': '2 or more, since requests must overlap',
  'http.requestsPerSecond': '2 or more, since requests must overlap',
  'fixtures.workspace.minimumSyncMs': 'how long each sync of the workspaces takes at least',
}

/** What to add for `key`. Undefined for an unknown key. */
export function wordsFor(key: string): string | undefined {
  const [part, name = '', detail] = key.split('.')
  if (Object.hasOwn(others, key)) return others[key]
  if (part === 'actors' && detail === 'credential') return 'a credential that works'
  if (part === 'actors' && detail === 'username') return 'the user name of that caller'
  if (part === 'actors') return actorWords(name)
  if (part === 'effects') return operations.find(({ id }) => id === name)?.effect
  return Object.hasOwn(fixtures, name) && part === 'fixtures' ? fixtures[name as FixtureKind] : undefined
}

/** A description of that actor. */
function actorWords(name: string): string | undefined {
  const described = schemaOf('configuration').properties?.actors?.properties?.[name]?.description
  const first = described?.split('. ', 1)[0]
  return first === undefined ? undefined : first[0]?.toLowerCase() + first.slice(1)
}
