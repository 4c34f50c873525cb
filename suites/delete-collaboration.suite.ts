import type { RequirementId } from '../specs/requirements.ts'
import type { ActorName, PortalName } from '../target/configuration/configuration.ts'
import type { Answer } from '../target/http/exchange.ts'
import { suite } from './check.ts'
import type { Caller, Gate } from './context/calls.ts'
import type { CheckContext } from './context/context.ts'
import { Unproven } from './findings.ts'
import { acceptance } from './judging/acceptance.ts'
import { racersFor, together } from './races.ts'

const check = suite({
  operation: 'delete-collaboration',
  actors: ['hostAdministrator'],
  fixtures: ['collaboration'],
})
const alsoAdds = { also: ['add-workspace'], fixtures: ['group'] } as const

check('delete-collaboration/deletes', {}, async ({ as, given, expect }) => {
  for (let time = 0; time < 3; time += 1) {
    expect(await as.hostAdministrator('delete-collaboration', await given.collaboration())).toBeAccepted()
  }
})

const wrongCallers: readonly (readonly [RequirementId, ActorName | 'anonymous'])[] = [
  ['delete-collaboration/refuses-guest', 'guestAdministrator'],
  ['delete-collaboration/refuses-non-administrator', 'hostMember'],
  ['delete-collaboration/refuses-anonymous', 'anonymous'],
]

for (const [id, caller] of wrongCallers) {
  check(id, caller === 'anonymous' ? {} : { actors: [caller] }, async (context) => {
    const { as, given, control, expect } = context
    const before = await as.hostAdministrator('delete-collaboration', await given.collaboration())
    control(before)
    const { collaborationId } = await given.collaboration()
    for (const portal of portalsTried(context, caller)) {
      const answer = await context.as[caller as ActorName]('delete-collaboration', {
        collaborationId,
        portal,
      })
      expect(answer, before).toBeRefused(
        () => `${caller} deleted a collaboration, on the path of the ${portal} portal`,
      )
    }
  })
}

function portalsTried(
  context: Pick<CheckContext, 'portalsTriedBy'>,
  caller: ActorName | 'anonymous',
): readonly PortalName[] {
  return caller === 'anonymous' ? ['host'] : context.portalsTriedBy(caller)
}

check(
  'delete-collaboration/refuses-anonymous:used-connection',
  { title: 'Without credentials refused, on a connection that an administrator has just used.' },
  async ({ as, given, control, expect, onOneConnection }) => {
    await onOneConnection(async (on) => {
      const used = await as.hostAdministrator('delete-collaboration', await given.collaboration(), {}, { on })
      control(used)
      const { collaborationId } = await given.collaboration()
      expect(await as.anonymous('delete-collaboration', { collaborationId }, {}, { on }), used).toBeRefused()
    })
  },
)

/** After a refused delete the collaboration still takes a workspace. */
async function livesOn(
  context: CheckContext<'hostAdministrator', 'collaboration' | 'group'>,
  caller: Caller,
  portals: readonly PortalName[],
): Promise<void> {
  const { as, given, control, expect } = context
  const { collaborationId } = await given.collaboration()
  const add = async () =>
    as.hostAdministrator('add-workspace', { collaborationId }, await given.request('add-workspace'))
  control(await add())
  for (const portal of portals) {
    const attempt = await caller('delete-collaboration', { collaborationId, portal })
    if (acceptance(attempt).accepted)
      throw new Unproven('the delete was not refused, so there is nothing to look at', [attempt])
    expect(await add(), attempt).toBeAccepted('a new workspace, after the refused delete')
  }
}

for (const [, caller] of wrongCallers) {
  const needs = caller === 'anonymous' ? alsoAdds : { ...alsoAdds, actors: [caller] }
  const title = `After a refused delete by ${caller} the collaboration still takes a workspace.`
  check(`delete-collaboration/refused-delete-has-no-effect:${caller}`, { ...needs, title }, (context) =>
    livesOn(
      context,
      context.as[caller as 'hostAdministrator'],
      portalsTried(context as Pick<CheckContext, 'portalsTriedBy'>, caller),
    ),
  )
}

check('delete-collaboration/refuses-invalid-credential', alsoAdds, async (context) => {
  const { as, given, control, expect } = context
  control(await as.hostAdministrator('delete-collaboration', await given.collaboration()))
  const { collaborationId } = await given.collaboration()
  const add = async () =>
    as.hostAdministrator('add-workspace', { collaborationId }, await given.request('add-workspace'))
  control(await add())
  const attempt = await as.impostor('delete-collaboration', { collaborationId })
  expect(attempt).toBeRefused()
  expect(await add(), attempt).toBeAccepted('a new workspace, after the refused delete')
})

check(
  'delete-collaboration/unknown-collaboration',
  {},
  async ({ as, given, control, expect, nobodysLike }) => {
    const { collaborationId } = await given.collaboration()
    const unknown = { collaborationId: nobodysLike(collaborationId) }
    expect(await as.hostAdministrator('delete-collaboration', unknown)).toBeRefused()
    control(await as.hostAdministrator('delete-collaboration', { collaborationId }))
  },
)

/** Simultaneous deletes of fresh collaborations, round by round; gives each round's answers to the judge. */
async function deleteTogether(
  { as, given, configuration }: CheckContext<'hostAdministrator', 'collaboration'>,
  judge: (answers: readonly Answer[], accepted: number) => void,
): Promise<void> {
  const rounds = Math.max(3, Math.ceil(configuration.run.runs / 10))
  const atOnce = racersFor(configuration, 4)
  for (let round = 0; round < rounds; round += 1) {
    const { collaborationId } = await given.collaboration()
    const remove = (gate: Gate) =>
      as.hostAdministrator('delete-collaboration', { collaborationId }, {}, { gate })
    const answers = await together(Array.from({ length: atOnce }, () => remove))
    judge(answers, answers.filter((answer) => acceptance(answer).accepted).length)
  }
}

check('delete-collaboration/concurrent-once', { overlapping: true }, async (context) => {
  await deleteTogether(context, (answers, accepted) => {
    if (accepted === 0) throw new Unproven('of several simultaneous deletes none was accepted', answers)
    const last = answers.at(-1) as Answer
    context
      .expect(last, ...answers)
      .toShow(accepted === 1, 'several simultaneous deletes of one collaboration were accepted', {
        expected: 'one accepted',
        actual: `${accepted} of ${answers.length} accepted`,
      })
  })
})

check(
  'delete-collaboration/deletes:concurrent',
  { overlapping: true, title: 'Of simultaneous deletes of one collaboration at least one is accepted.' },
  async (context) => {
    context.control(
      await context.as.hostAdministrator('delete-collaboration', await context.given.collaboration()),
    )
    await deleteTogether(context, (answers, accepted) => {
      const last = answers.at(-1) as Answer
      context
        .expect(last, ...answers)
        .toShow(accepted >= 1, 'of several simultaneous deletes none was accepted', {
          expected: 'at least one accepted',
          actual: `none of ${answers.length} accepted`,
        })
    })
  },
)
