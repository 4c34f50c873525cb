/** Holds what a provider answers against what was asked: a wrong fixture would spoil a verdict unseen. */
import type { FixtureAnswers, FixtureKind, FixtureOptions } from './fixture-kinds.ts'

type Rule = readonly [description: string, holds: (value: unknown) => boolean]
type Rules = Readonly<Record<string, Rule>>

const text: Rule = ['a text that is not empty', (value) => typeof value === 'string' && value !== '']
const flag: Rule = ['true or false', (value) => typeof value === 'boolean']
const duration: Rule = [
  'a number of milliseconds, 0 or more',
  (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
]
const texts: Rule = [
  'a list of distinct texts that are not empty',
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(text[1]) && new Set(value).size === value.length,
]

const required: Readonly<Record<FixtureKind, Rules>> = {
  collaboration: { collaborationId: text },
  workspace: { collaborationId: text, workspaceId: text, minimumSyncMs: duration },
  scheduledSync: { collaborationId: text, workspaceId: text, remainingMs: duration },
  participant: { collaborationId: text, participantPortalId: text },
  group: { groupId: text },
  items: { owner: text, itemIds: texts },
  eligibleUser: { username: text },
  ineligibleUser: { username: text },
  taskRun: { userName: text, taskId: text, runId: text },
  federation: { federationId: text },
}

const optional: Readonly<Partial<Record<FixtureKind, Rules>>> = {
  workspace: { maximumSyncMs: duration },
  group: { reusable: flag },
}

/** What is wrong with the answer, in a few words; undefined where it is the fixture that was asked for. */
export function wrongWith<Kind extends FixtureKind>(
  kind: Kind,
  options: FixtureOptions[Kind],
  answer: unknown,
): string | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'a JSON object expected'
  const fields = answer as Record<string, unknown>
  for (const [name, [description, holds]] of Object.entries<Rule>(required[kind])) {
    if (!Object.hasOwn(fields, name)) return `${name} is missing: ${description} expected`
    if (!holds(fields[name])) return `${name}: ${description} expected`
  }
  for (const [name, [description, holds]] of Object.entries<Rule>(optional[kind] ?? {})) {
    if (Object.hasOwn(fields, name) && !holds(fields[name])) return `${name}: ${description} expected`
  }
  return unlikeAsked(options, fields)
}

function unlikeAsked(options: object, answer: Record<string, unknown>): string | undefined {
  const { collaborationId, count } = options as { collaborationId?: string; count?: number }
  if (collaborationId !== undefined && answer.collaborationId !== collaborationId) {
    return 'collaborationId: another collaboration than the one asked for'
  }
  const { itemIds, minimumSyncMs, maximumSyncMs } = answer as Partial<
    FixtureAnswers['items'] & FixtureAnswers['workspace']
  >
  if (count !== undefined && itemIds?.length !== count) {
    return `itemIds: ${count} ids expected, ${itemIds?.length ?? 0} found`
  }
  if (maximumSyncMs !== undefined && maximumSyncMs < (minimumSyncMs ?? 0)) {
    return 'maximumSyncMs: no less than minimumSyncMs expected'
  }
  return undefined
}
