/** Holds what a provider answers against what was asked: a wrong fixture would spoil a verdict unseen. */
import { fixtureFields, wrongField } from './fixture-fields.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from './fixture-kinds.ts'

/** What is wrong with the answer, in a few words; undefined where it is the fixture that was asked for. */
export function wrongWith<Kind extends FixtureKind>(
  kind: Kind,
  options: FixtureOptions[Kind],
  answer: unknown,
): string | undefined {
  return wrongField(fixtureFields[kind].answer, answer) ?? unlikeAsked(options, answer as Asked)
}

type Asked = Partial<FixtureAnswers['items'] & FixtureAnswers['workspace']>

function unlikeAsked(options: object, answer: Asked): string | undefined {
  const { collaborationId, count } = options as { collaborationId?: string; count?: number }
  if (collaborationId !== undefined && answer.collaborationId !== collaborationId) {
    return 'collaborationId: another collaboration than the one asked for'
  }
  const { itemIds, minimumSyncMs, maximumSyncMs } = answer
  if (count !== undefined && itemIds?.length !== count) {
    return `itemIds: ${count} ids expected, ${itemIds?.length ?? 0} found`
  }
  if (maximumSyncMs !== undefined && maximumSyncMs < (minimumSyncMs ?? 0)) {
    return 'maximumSyncMs: no less than minimumSyncMs expected'
  }
  return undefined
}
