/** What is done in collaborations beside deleting them, so that it shows which of them are there (§4.6). */
import type { FixtureAnswers } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller, How } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'

export interface Place {
  readonly collaborationId: string
}

/** Adds ordinary workspaces to a collaboration, as the administrator of the host or as another. */
export const addingTo =
  ({ as, given }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'given'>, at: Place) =>
  async (by: Caller = as.hostAdministrator, how: How = {}): Promise<Answer> =>
    by('add-workspace', at, await given.request('add-workspace'), how)

/** Deletes the collaboration: where that is not accepted nothing follows. */
export async function deleted(
  { as, control }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'control'>,
  at: Place,
): Promise<Answer> {
  // What the deployment has just been told of the collaboration must not get old meanwhile.
  const gone = await as.hostAdministrator('delete-collaboration', at, {}, { urgent: true })
  control(gone, 'the delete')
  return gone
}

/** Two workspaces of one collaboration, which can be synced. */
export async function twoWorkspaces({
  given,
}: Pick<CheckContext<never, 'collaboration' | 'workspace'>, 'given'>): Promise<
  [FixtureAnswers['workspace'], FixtureAnswers['workspace']]
> {
  const { collaborationId } = await given.collaboration({ with: 'workspace' })
  return [await given.workspace({ collaborationId }), await given.workspace({ collaborationId })]
}
