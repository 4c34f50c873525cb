/** §4.5 Update participant information: what no family of checks covers. */
import { type CheckDefinition, suite } from '../../runner/check.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['hostAdministrator'], fixtures: ['participant'] })

check(
  'update-participant/contact-text:of-two',
  {
    whereThere: { fixtures: ['participantElsewhere'] },
    title: 'Participants of two collaborations may have the same contact person.',
  },
  async ({ as, given, expect }) => {
    const { collaborationId, participantPortalId, elsewhereId, elsewherePortalId } =
      await given.participantElsewhere()
    const request = await given.request('update-participant')
    for (const at of [
      { collaborationId, participantPortalId },
      { collaborationId: elsewhereId, participantPortalId: elsewherePortalId },
    ])
      expect(await as.hostAdministrator('update-participant', at, request)).toBeAccepted()
  },
)

check(
  'update-participant/unknown-participant:elsewhere',
  {
    whereThere: { fixtures: ['participantElsewhere'] },
    title: 'A participant of another collaboration is unknown here.',
  },
  async (context) => {
    const { as, given, control, expect, inSituations } = context
    const { collaborationId, participantPortalId, elsewhereId, elsewherePortalId } =
      await given.participantElsewhere()
    const request = await given.request('update-participant')
    const update = (collaborationId: string, participantPortalId: string) =>
      as.hostAdministrator('update-participant', { collaborationId, participantPortalId }, request)
    const here = await update(collaborationId, participantPortalId)
    control(here, 'an update of the one that takes part here')
    const there = await update(elsewhereId, elsewherePortalId)
    control(there, 'an update of the other where it takes part')
    await inSituations(async () =>
      expect(await update(collaborationId, elsewherePortalId), here, there).toBeRefused(
        'a participant of another collaboration was updated',
      ),
    )
  },
)
