/** §4.6 Delete collaboration: who may, who may not, and simultaneous deletes. Its consequences have other files. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { Gate } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick } from '../../runner/effort.ts'
import { mustBeRefused, Unproven } from '../../runner/findings.ts'
import { racersFor } from '../../runner/lanes.ts'
import {
  addingTo,
  alsoAdds,
  triedInUse,
  type WrongCaller,
  workspaces,
  wrongCallers,
} from '../common/collaborations.ts'
import { actorsOf, isRefusedToo, refusedOnEachPath } from '../common/wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite<ActorName, FixtureKind>(checks, {
  actors: ['hostAdministrator'],
  fixtures: ['collaboration'],
})
const inUse = 'A host administrator can delete a collaboration that has a workspace.'

check('delete-collaboration/deletes', {}, async (context) => {
  const { accepted, send } = context.target('delete-collaboration')
  context.expect((await accepted()).answer).toBeAccepted()
  const further = Math.min(2, Math.floor(context.configuration.run.runs / 10))
  for (let time = 0; time < further; time += 1) context.expect(await send({})).toBeAccepted()
})

check(
  'delete-collaboration/deletes:after-refusals',
  {
    ...alsoAdds,
    title: 'An administrator of the host can delete a collaboration after all other callers were refused.',
  },
  async (context) => {
    const { as, given, control, expect, callers } = context
    const at = await given.collaboration()
    for (const stranger of callers.strangers) {
      const answer = await stranger('delete-collaboration', { ...at, portal: 'host' })
      mustBeRefused(answer, 'a wrong caller had already deleted it, so there was nothing left to delete')
    }
    const gone = await as.hostAdministrator('delete-collaboration', at)
    // Another requirement says that a refused delete has no effect. A delete that was retried may have been performed.
    if (!isAccepted(gone) && gone.repeatedAfter === undefined)
      control(await addingTo(context, at)(), 'a new workspace after all of them were refused')
    expect(gone).toBeAccepted('after others were refused')
  },
)

/** An accepted delete of a collaboration with a workspace, shared by all checks. */
const deletedInUse = (context: CheckContext) => {
  const { as, given, control } = context
  return given.accepted('delete-collaboration in use', async () => {
    const at = await given.collaboration()
    for (let workspaces = 0; workspaces < 3; workspaces += 1) {
      const added = await addingTo(context, at)()
      // The collaboration may take only one workspace, and one is enough.
      if (workspaces > 0 && !isAccepted(added)) break
      control(added)
    }
    return { request: {}, answer: await as.hostAdministrator('delete-collaboration', at) }
  })
}

/** Each wrong caller tries twice on every path, unless the run is quick. */
const twice = (context: CheckContext<never, never>, caller: WrongCaller) => ({
  did: `${caller} deleted a collaboration`,
  times: isQuick(context.configuration.run) ? 1 : 2,
})

for (const [id, caller] of wrongCallers) {
  check(id, { actors: actorsOf(caller) }, (context) =>
    isRefusedToo(context, 'delete-collaboration', caller, twice(context, caller)),
  )

  const title = `${caller} is refused also where an administrator has just added a workspace.`
  check(`${id}:in-use`, { ...alsoAdds, actors: actorsOf(caller), title }, async (context) => {
    context.control((await deletedInUse(context)).answer)
    await triedInUse(context, workspaces, async (at) => {
      const used = await addingTo(context, at)()
      context.control(used)
      const remove = context.callers.by(caller)
      const ask = (portal: PortalName) => remove('delete-collaboration', { ...at, portal })
      await refusedOnEachPath(context, { caller, ask, before: [used], ...twice(context, caller) })
    })
  })
}

check('delete-collaboration/deletes:in-use', { ...alsoAdds, title: inUse }, async (context) => {
  context.expect((await deletedInUse(context)).answer).toBeAccepted('a collaboration with a workspace')
})

/** Extra rounds if no round shows anything, because its deletes did not overlap. */
const furtherRounds = 2

check('delete-collaboration/concurrent-once', { traits: ['overlapping', 'timed'] }, async (context) => {
  const { as, callers, given, control, expect, configuration } = context
  await context.target('delete-collaboration').controlled()
  const rounds = Math.ceil(configuration.run.runs / 10)
  const atOnce = racersFor(configuration, isQuick(configuration.run) ? 2 : 4)
  let shown = false
  for (let round = 0; round < rounds || (!shown && round < rounds + furtherRounds); round += 1) {
    const { collaborationId } = await given.collaboration()
    const remove = (gate: Gate) =>
      as.hostAdministrator('delete-collaboration', { collaborationId }, {}, { gate })
    const answers = await callers.together(Array.from({ length: atOnce }, () => remove))
    const any = answers.find(isAccepted) ?? (answers.at(-1) as Answer)
    control(any, `one of ${atOnce} simultaneous deletes`, 'delete-collaboration/deletes')
    for (const answer of answers)
      if (expect(answer, ...answers).keeps('delete-collaboration/concurrent-once')) shown = true
  }
  if (!shown) throw new Unproven('no race of two deletes had an accepted one while both were in flight')
})
