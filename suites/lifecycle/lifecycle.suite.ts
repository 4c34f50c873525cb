/** The interplay of all operations: random sequences whose answers are compared with a small model of the portal. */
import fc from 'fast-check'
import { type ActorName, actorNames } from '../../deployment/configuration/actors.ts'
import { fixtureKinds, furtherKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import { type CheckDefinition, type Needs, suite } from '../../runner/check.ts'
import { operationIds } from '../../specs/operations.ts'
import {
  addWorkspace,
  deleteCollaboration,
  reassignItems,
  type Step,
  syncWorkspace,
  updateFederation,
  updateParticipant,
  updateTaskRun,
} from './steps.ts'
import { type LifecycleContext, newModel, World } from './world.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** The needs of each operation. */
const parts: Needs['parts'] = {
  'add-workspace': { actors: ['hostAdministrator'], fixtures: ['collaboration', 'group'] },
  'update-task-run': { actors: ['taskOwner'], fixtures: ['taskRun'] },
  'reassign-items': { actors: ['contentAdministrator'], fixtures: ['items', 'eligibleUser'] },
  'sync-workspace': { actors: ['syncInitiator'], fixtures: ['workspace'] },
  'update-participant': { actors: ['hostAdministrator'], fixtures: ['participant'] },
  'delete-collaboration': { actors: ['hostAdministrator'], fixtures: ['collaboration'] },
  'update-federation': { actors: ['organizationAdministrator'], fixtures: ['federation', 'group'] },
}

const check = suite(checks, {
  also: operationIds,
  actors: actorNames,
  fixtures: fixtureKinds.filter((kind) => kind !== 'scheduledSync' && !furtherKinds.includes(kind)),
  parts,
})

const longest = 14
const shortest = 6

const which = fc.nat({ max: 1 })
const user = fc.nat({ max: 3 })

/** Every kind of step, with ordinary requests where one is needed. */
function stepsWith({ given, configuration }: LifecycleContext): fc.Arbitrary<Step>[] {
  /** A permitted caller most of the time, sometimes a wrong one. */
  const caller = <Right extends ActorName, Wrong extends ActorName>(
    right: Right,
    ...wrong: Wrong[]
  ): fc.Arbitrary<Right | Wrong | 'anonymous'> =>
    fc.oneof(
      { arbitrary: fc.constant<Right | Wrong | 'anonymous'>(right), weight: 3 },
      {
        arbitrary: fc.constantFrom(
          ...wrong.filter((name) => configuration.actors[name] !== undefined),
          'anonymous' as const,
        ),
        weight: 1,
      },
    )
  const hostCaller = caller('hostAdministrator', 'hostMember', 'guestAdministrator')
  const ordinary = { text: 'ordinary' } as const
  const items = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 })
  return [
    fc
      .tuple(hostCaller, which, given.requests('add-workspace', ordinary))
      .map((chosen) => addWorkspace(...chosen)),
    fc
      .tuple(hostCaller, which, given.requests('update-participant', ordinary))
      .map((chosen) => updateParticipant(...chosen)),
    fc.tuple(hostCaller, which).map((chosen) => deleteCollaboration(...chosen)),
    caller('syncInitiator', 'syncNonInitiator').map(syncWorkspace),
    fc
      .tuple(caller('contentAdministrator', 'outsider'), user, user, items)
      .map((chosen) => reassignItems(...chosen)),
    fc.boolean().map(updateTaskRun),
    fc
      .tuple(caller('organizationAdministrator', 'hostMember'), given.requests('update-federation', ordinary))
      .map((chosen) => updateFederation(...chosen)),
  ]
}

check('lifecycle/consistent', { traits: ['timed'] }, async (context) => {
  const sequences = fc
    .commands(stepsWith(context), { maxCommands: longest, size: 'max' })
    // Sequences with few possible steps would show nothing.
    .filter((steps) => [...steps].length >= shortest)
  await context.forAll(
    sequences,
    async (commands) => {
      const model = await newModel(context)
      await fc.asyncModelRun(() => ({ model, real: new World(context, model) }), commands)
      // The first sequence has shown what the provider lacks.
      context.parts.judgedWithout(operationIds.filter((id) => !model.can.has(id)))
    },
    { cases: 'some' },
  )
})
