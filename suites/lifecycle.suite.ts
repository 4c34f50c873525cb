/** The interplay of all operations: random sequences, each answer compared with a small model of the portal. */
import fc from 'fast-check'
import { operationIds } from '../specs/operations.ts'
import { actorNames } from '../target/configuration.ts'
import { suite } from './check.ts'
import {
  AddWorkspace,
  DeleteCollaboration,
  SyncWorkspace,
  UpdateParticipant,
} from './lifecycle/collaboration-steps.ts'
import { ReassignItems, UpdateFederation, UpdateTaskRun } from './lifecycle/content-steps.ts'
import { type Step, World } from './lifecycle/step.ts'
import { newWorld } from './lifecycle/world.ts'

const check = suite({
  also: operationIds,
  actors: actorNames,
  fixtures: [
    'collaboration',
    'workspace',
    'participant',
    'group',
    'items',
    'eligibleUser',
    'ineligibleUser',
    'taskRun',
    'federation',
  ],
  whatIsThere: true,
})

const longest = 14

/** The right caller most of the time, a wrong one now and then. */
const caller = <Right extends string, Wrong extends string>(
  right: Right,
  ...wrong: Wrong[]
): fc.Arbitrary<Right | Wrong> =>
  fc.oneof(
    { arbitrary: fc.constant<Right | Wrong>(right), weight: 3 },
    { arbitrary: fc.constantFrom(...wrong), weight: 1 },
  )

const hostCaller = caller('hostAdministrator', 'hostMember', 'guestAdministrator', 'anonymous')
const which = fc.nat({ max: 1 })
const user = fc.nat({ max: 3 })

const steps: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(hostCaller, which).map(([by, at]) => new AddWorkspace(by, at)),
  fc.tuple(hostCaller, which).map(([by, at]) => new UpdateParticipant(by, at)),
  fc.tuple(hostCaller, which).map(([by, at]) => new DeleteCollaboration(by, at)),
  caller('syncInitiator', 'syncNonInitiator', 'anonymous').map((by) => new SyncWorkspace(by)),
  fc
    .tuple(
      caller('contentAdministrator', 'outsider', 'anonymous'),
      user,
      user,
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
    )
    .map(([by, from, to, items]) => new ReassignItems(by, from, to, items)),
  fc.boolean().map((known) => new UpdateTaskRun(known)),
  caller('organizationAdministrator', 'hostMember', 'anonymous').map((by) => new UpdateFederation(by)),
]

check('lifecycle/consistent', {}, async (context) => {
  const sequences = fc.commands([...steps], {
    maxCommands: longest,
    size: 'max',
  })
  await context.forAll(
    sequences,
    async (commands) => {
      const model = await newWorld(context)
      await fc.asyncModelRun(() => ({ model, real: new World(context, model) }), commands)
    },
    { share: 0.3, least: 10 },
  )
})
