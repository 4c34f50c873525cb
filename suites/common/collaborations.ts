/** What is in collaborations and what is done in them, so that it shows which are there. */
import { valueAt } from '../../clauses/shapes.ts'
import { type FixtureAnswers, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller, How } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Unproven } from '../../runner/findings.ts'

export interface Place {
  readonly collaborationId: string
}

/** Adds ordinary workspaces to a collaboration, as the administrator of the host or as another. */
export const addingTo =
  ({ as, given }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'given'>, at: Place) =>
  async (by: Caller = as.hostAdministrator, how: How = {}): Promise<Answer> =>
    by('add-workspace', at, await given.request('add-workspace'), how)

/** The id of a workspace that was added. Throws `Unproven` where it was not, or has none: there is nothing to sync. */
export function idOfAdded({ control }: Pick<CheckContext, 'control'>, added: Answer): string {
  const id = valueAt(control(added), 'workspace.id')
  if (typeof id === 'string') return id
  throw new Unproven('workspace.id is no string, so there is nothing to sync', [added])
}

/** Deletes the collaboration: where that is not accepted nothing follows. */
export async function deleted(
  { as, control }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'control'>,
  at: Place,
): Promise<Answer> {
  // The deployment's news of the collaboration must not get old meanwhile.
  const gone = await as.hostAdministrator('delete-collaboration', at, {}, { urgent: true })
  control(gone, 'the delete')
  return gone
}

type Workspace = FixtureAnswers['workspace']
type GivenWorkspaces = Pick<CheckContext<never, 'collaboration' | 'workspace'>, 'given'>

/** Two workspaces of one collaboration, which can be synced. */
export async function twoWorkspaces({ given }: GivenWorkspaces): Promise<[Workspace, Workspace]> {
  const { collaborationId } = await given.collaboration({ with: 'workspace' })
  return [await given.workspace({ collaborationId }), await given.workspace({ collaborationId })]
}

/** As above, or the one that there is: guests may be able to sync the first workspace of a collaboration alone. */
export async function oneOrTwoWorkspaces({
  given,
}: GivenWorkspaces): Promise<[Workspace] | [Workspace, Workspace]> {
  const { collaborationId } = await given.collaboration({ with: 'workspace' })
  const first = await given.workspace({ collaborationId })
  const second = await ifOffered(given.workspace({ collaborationId }))
  return second === undefined ? [first] : [first, second]
}

/** A participant that no one else changes, of a collaboration of its own. */
export async function ownParticipant({
  given,
}: Pick<CheckContext<never, 'collaboration' | 'participant'>, 'given'>): Promise<
  FixtureAnswers['participant']
> {
  const { collaborationId } = await given.collaboration({ with: 'participant' })
  return given.participant({ collaborationId })
}

/** A collaboration to delete that is not that other one. */
export const doomedBeside = async (
  { given }: Pick<CheckContext<never, 'collaboration'>, 'given'>,
  other: string,
): Promise<Place> => {
  const [doomed] = await given.different('collaboration', 1, { not: [other] })
  return doomed as Place
}
