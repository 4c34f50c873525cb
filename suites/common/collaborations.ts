/** Uses collaborations in order to see which of them exist. */

import { type FixtureAnswers, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller, How } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Unproven } from '../../runner/findings.ts'
import { valueAt } from '../../schemas/values.ts'

export interface Place {
  readonly collaborationId: string
}

/** Adds ordinary workspaces to a collaboration, by default as the host administrator. */
export const addingTo =
  ({ as, given }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'given'>, at: Place) =>
  async (by: Caller = as.hostAdministrator, how: How = {}): Promise<Answer> =>
    by('add-workspace', at, await given.request('add-workspace'), how)

/** The id of an added workspace. Throws `Unproven` if there is none, because then nothing can be synced. */
export function idOfAdded({ control }: Pick<CheckContext, 'control'>, added: Answer): string {
  const id = valueAt(control(added), 'workspace.id')
  if (typeof id === 'string') return id
  throw new Unproven('workspace.id is no string, so there is nothing to sync', [added])
}

/** Deletes the collaboration. The delete must be accepted, or nothing follows. */
export async function deleted(
  { as, control }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'control'>,
  at: Place,
): Promise<Answer> {
  // Urgent, so that the state that was seen before the delete is still current.
  const gone = await as.hostAdministrator('delete-collaboration', at, {}, { urgent: true })
  control(gone, 'the delete')
  return gone
}

type Workspace = FixtureAnswers['workspace']
type GivenWorkspaces = Pick<CheckContext<never, 'collaboration' | 'workspace'>, 'given'>

/** Two workspaces of one collaboration that can be synced. */
export async function twoWorkspaces({ given }: GivenWorkspaces): Promise<[Workspace, Workspace]> {
  const { collaborationId } = await given.collaboration({ with: 'workspace' })
  return [await given.workspace({ collaborationId }), await given.workspace({ collaborationId })]
}

/** Two such workspaces, or one: guests may be able to sync only the first workspace of a collaboration. */
export async function oneOrTwoWorkspaces({
  given,
}: GivenWorkspaces): Promise<[Workspace] | [Workspace, Workspace]> {
  const { collaborationId } = await given.collaboration({ with: 'workspace' })
  const first = await given.workspace({ collaborationId })
  const second = await ifOffered(given.workspace({ collaborationId }))
  return second === undefined ? [first] : [first, second]
}

/** A participant of its own collaboration, which no other check changes. */
export async function ownParticipant({
  given,
}: Pick<CheckContext<never, 'collaboration' | 'participant'>, 'given'>): Promise<
  FixtureAnswers['participant']
> {
  const { collaborationId } = await given.collaboration({ with: 'participant' })
  return given.participant({ collaborationId })
}

/** A collaboration to delete, different from the given one. */
export const doomedBeside = async (
  { given }: Pick<CheckContext<never, 'collaboration'>, 'given'>,
  other: string,
): Promise<Place> => {
  const [doomed] = await given.different('collaboration', 1, { not: [other] })
  return doomed as Place
}
