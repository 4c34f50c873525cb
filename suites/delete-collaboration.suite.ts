/** §4.6 Delete collaboration: who may, who may not, and at the same moment. What follows of it has files of its own. */

import { acceptance } from '../clauses/acceptance.ts'
import type { Answer } from '../target/http/exchange.ts'
import { suite } from './check.ts'
import type { Gate } from './context/calls.ts'
import type { CheckContext } from './context/context.ts'
import { Unproven } from './findings.ts'
import { racersFor, together } from './races.ts'
import { portalsTried, type WrongCaller, wrongCallers } from './wrong-deleters.ts'

const check = suite({
  operation: 'delete-collaboration',
  actors: ['hostAdministrator'],
  fixtures: ['collaboration'],
})
const alsoAdds = { also: ['add-workspace'], fixtures: ['group'] } as const
const inUse = 'A host administrator can delete a collaboration that has a workspace.'

check('delete-collaboration/deletes', {}, async ({ as, given, expect }) => {
  for (let time = 0; time < 3; time += 1) {
    expect(await as.hostAdministrator('delete-collaboration', await given.collaboration())).toBeAccepted()
  }
})

for (const [id, caller] of wrongCallers) {
  check(id, caller === 'anonymous' ? {} : { actors: [caller] }, async (context) => {
    const { as, given, control } = context
    const before = await as.hostAdministrator('delete-collaboration', await given.collaboration())
    control(before)
    const { collaborationId } = await given.collaboration()
    await refusedEverywhere(context, caller, collaborationId, before)
  })

  const title = `${caller} is refused also where an administrator has just added a workspace.`
  const needs = caller === 'anonymous' ? alsoAdds : { ...alsoAdds, actors: [caller] }
  check(`${id}:in-use`, { ...needs, title }, async (context) => {
    const { as, given, control } = context
    const { collaborationId } = await given.collaboration()
    const request = await given.request('add-workspace')
    const used = await as.hostAdministrator('add-workspace', { collaborationId }, request)
    control(used)
    await refusedEverywhere(context, caller, collaborationId, used)
    control(await as.hostAdministrator('delete-collaboration', { collaborationId }))
  })
}

/** Refused on every path that the caller is tried on, and again the second time. */
async function refusedEverywhere(
  context: CheckContext<never, 'collaboration'>,
  caller: WrongCaller,
  collaborationId: string,
  before: Answer,
): Promise<void> {
  for (const portal of portalsTried(context, caller)) {
    for (const time of ['', ', the second time']) {
      const by = context.as[caller as 'anonymous']
      const answer = await by('delete-collaboration', { collaborationId, portal })
      context
        .expect(answer, before)
        .toBeRefused(() => `${caller} deleted a collaboration, on the path of the ${portal} portal${time}`)
    }
  }
}

check('delete-collaboration/deletes:in-use', { ...alsoAdds, title: inUse }, async (context) => {
  const { as, given, control, expect } = context
  const { collaborationId } = await given.collaboration()
  const added = await as.hostAdministrator(
    'add-workspace',
    { collaborationId },
    await given.request('add-workspace'),
  )
  control(added)
  const gone = await as.hostAdministrator('delete-collaboration', { collaborationId })
  expect(gone, added).toBeAccepted('a collaboration with a workspace')
})

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

check('delete-collaboration/concurrent-once', { overlapping: true, timed: true }, async (context) => {
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
