/** The interplay of all operations: random sequences whose answers are compared with a small model of the portal. */
import fc from 'fast-check'
import { type ActorName, actorNames } from '../../deployment/configuration/actors.ts'
import { fixtureKinds, furtherKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import { type CheckDefinition, type Needs, suite } from '../../runner/check.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
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
const items = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 })
const ordinary = { text: 'ordinary' } as const

/** Every kind of step that is possible here, with ordinary requests where one is needed. */
function stepsWith({ given, parts, configuration }: LifecycleContext): fc.Arbitrary<Step>[] {
  /** A permitted caller most of the time, sometimes a wrong one. */
  const caller = <Right extends ActorName, Wrong extends ActorName>(right: Right, ...wrong: Wrong[]) => {
    const known = wrong.filter((name) => configuration.actors[name] !== undefined)
    return fc.oneof(
      { arbitrary: fc.constant<Right | Wrong | 'anonymous'>(right), weight: 3 },
      { arbitrary: fc.constantFrom(...known, 'anonymous' as const), weight: 1 },
    )
  }
  const host = caller('hostAdministrator', 'hostMember', 'guestAdministrator')
  const organization = caller('organizationAdministrator', 'hostMember')
  const content = caller('contentAdministrator', 'outsider')
  const steps: Readonly<Record<OperationId, fc.Arbitrary<Step>>> = {
    'add-workspace': fc
      .tuple(host, which, given.requests('add-workspace', ordinary))
      .map((chosen) => addWorkspace(...chosen)),
    'update-participant': fc
      .tuple(host, which, given.requests('update-participant', ordinary))
      .map((chosen) => updateParticipant(...chosen)),
    'delete-collaboration': fc.tuple(host, which).map((chosen) => deleteCollaboration(...chosen)),
    'sync-workspace': caller('syncInitiator', 'syncNonInitiator').map(syncWorkspace),
    'reassign-items': fc.tuple(content, user, user, items).map((chosen) => reassignItems(...chosen)),
    'update-task-run': fc.constant(updateTaskRun),
    'update-federation': fc
      .tuple(organization, given.requests('update-federation', ordinary))
      .map((chosen) => updateFederation(...chosen)),
  }
  return operationIds.filter(parts.offers).map((operation) => steps[operation])
}

check('lifecycle/consistent', { traits: ['timed'] }, async (context) => {
  const sequences = fc.array(fc.oneof(...stepsWith(context)), { minLength: shortest, maxLength: longest })
  await context.forAll(
    sequences,
    async (steps) => {
      const world = new World(context, await newModel(context))
      // Rejects with what the provider lacks.
      if (world.lacking.size === operationIds.length) await context.given.collaboration()
      for (const step of steps) await step(world)
      context.parts.judgedWithout([...world.lacking])
    },
    { cases: 'some' },
  )
})
