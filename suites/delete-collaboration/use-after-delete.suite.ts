/** §4.6 Uses a collaboration, deletes something or has a delete refused, and uses it again. */
import { describe, isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type FixtureKind, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import type { Gate, How } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick, isThorough, looks } from '../../runner/effort.ts'
import { mustBeRefused, Unproven } from '../../runner/findings.ts'
import {
  addingTo,
  deleted,
  type Place,
  participants,
  syncs,
  triedInUse,
  type Use,
  type WrongCaller,
  workspaces,
  workspacesOfOneName,
  wrongCallers,
} from '../common/collaborations.ts'
import { actorsOf } from '../common/wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite<ActorName, FixtureKind>(checks, {
  actors: ['hostAdministrator'],
  fixtures: ['collaboration'],
})

/** Expects the use to be refused after the delete. */
function isOver<P extends Place>(id: CheckId, use: Use<P>): void {
  const title = `After the delete, the collaboration refuses ${use.what}.`
  check(id, { ...use.needs, title, traits: ['timed'] }, async (context) => {
    const { as, given, control, expect, wait, callers } = context
    const place = await use.draw(context)
    const { collaborationId } = place
    control(await use.first(context, place))
    // A delete refused just before must not protect the collaboration, nor make the next one do nothing. If it is accepted,
    // that breaks another requirement.
    await as.anonymous('delete-collaboration', { collaborationId })
    await callers.onOneConnection(async (on) => {
      const again = (how: How = {}) => use.again(context, place, undefined, how)
      const unknown = { collaborationId: given.ids.nobodysLike(collaborationId) }
      await as.hostAdministrator('delete-collaboration', unknown, {}, { on, urgent: true })
      const gone = await deleted(context, { collaborationId }, { on })
      const after = await wait.retryUntil(
        () => again({ on }),
        (answer) => !isAccepted(answer),
      )
      expect(after, gone).toBeRefused(`the deleted collaboration accepted ${use.what}`)
      await wait.for(Math.max(context.configuration.run.settleMs, wait.laterMs))
      const later = await (isQuick(context.configuration.run) ? again() : wait.untilAccepted(again))
      expect(later, gone, after).toBeRefused(`the deleted collaboration accepted ${use.what} later`)
      const second = await as.hostAdministrator('delete-collaboration', { collaborationId })
      expect(await again(), gone, second).toBeRefused(
        `the deleted collaboration accepted ${use.what} after a second delete`,
      )
    })
  })
}

/** A delete may do nothing where there are several workspaces. How many a collaboration has room for is open. */
const severalWorkspaces: Use = {
  ...workspaces,
  first: async (context, place) => {
    const first = await workspaces.first(context, place)
    for (let left = isQuick(context.configuration.run) ? 0 : 2; left > 0; left -= 1) {
      const further = await ifOffered(workspaces.first(context, place))
      if (further === undefined || !isAccepted(further)) break
    }
    return first
  },
}

isOver('delete-collaboration/gone-after-delete', severalWorkspaces)
isOver('delete-collaboration/gone-after-delete:participant', participants)

/** Expects a collaboration to be gone even if it was used during the delete, whatever these uses were answered. */
function isOverThoughUsed<P extends Place>(use: Use<P>, others: readonly Use[] = []): void {
  const id = `delete-collaboration/gone-after-delete:used-meanwhile${use.ending}` as const
  const what = [use, ...others].map((each) => each.what).join(' and ')
  const needs = {
    also: [...new Set([...(use.needs.also ?? []), 'add-workspace' as const])],
    whereThere: {
      actors: use.needs.actors ?? [],
      fixtures: [...(use.needs.fixtures ?? []), 'group' as const],
    },
    traits: ['timed', 'overlapping'] as const,
    title: `A collaboration is gone also where it was deleted while there was ${what}.`,
  }
  check(id, needs, async (context) => {
    const { as, callers, control, expect, wait, configuration } = context
    for (let left = isThorough(configuration.run) ? 2 : 1; left > 0; left -= 1) {
      const place = await use.draw(context)
      const { collaborationId } = place
      const before = await use.first(context, place)
      control(before)
      await use.rested?.(context, place, before)
      const [beside, ...used] = await callers.together([
        (gate) => as.hostAdministrator('delete-collaboration', { collaborationId }, {}, { gate }),
        (gate) => use.again(context, place, undefined, { gate }),
        ...others.map(
          (other) => (gate: Gate) => other.again(context, { collaborationId }, undefined, { gate }),
        ),
      ])
      const gone = await deletedBeside(context, collaborationId, beside as Answer)
      const add = () => addingTo(context, { collaborationId })()
      const after = await wait.retryUntil(add, (answer) => !isAccepted(answer))
      expect(after, ...used, gone).toBeRefused('the deleted collaboration accepted a workspace')
      await wait.settle()
      expect(await add(), ...used, gone, after).toBeRefused(
        'the deleted collaboration accepted a workspace later',
      )
    }
  })
}

/** If a simultaneous change may be the reason for the refused delete, the next delete must be accepted. */
async function deletedBeside({ as }: CheckContext, collaborationId: string, beside: Answer): Promise<Answer> {
  if (isAccepted(beside)) return beside
  const next = await as.hostAdministrator('delete-collaboration', { collaborationId }, {}, { urgent: true })
  if (isAccepted(next)) return next
  throw new Unproven(
    `a delete beside other requests was ${describe(beside)}, and the next one ${describe(next)}: the first may have been done`,
    [beside, next],
  )
}

isOverThoughUsed(participants, [workspaces])
isOverThoughUsed(syncs)

/** Expects the use to be accepted after the refused delete of that caller. An accepted delete breaks another requirement. */
function survivesRefusal<P extends Place>(
  { id, title }: { readonly id: CheckId; readonly title?: string },
  caller: WrongCaller,
  use: Use<P>,
  most: number,
): void {
  const actors = [...(use.needs.actors ?? []), ...actorsOf(caller)]
  const needs = { ...use.needs, actors, ...(title && { title }), traits: ['patient'] as const }
  check(id, needs, async (context) => {
    const after = 'after the refused delete'
    const event = (place: P) => refused(context, caller, place.collaborationId)
    const look = (waitMs: number) =>
      triedInUse(context, use, (place) =>
        isSpared(context, use, place, { event, after, waitMs, afterRefusal: true }),
      )
    // A refused delete must not take effect later either.
    if (use.ending === '') await look(context.wait.laterMs)
    if (use.ending === '' && isQuick(context.configuration.run)) return
    await context.inSituations(() => look(0), most)
  })
}

function survivesRefusals<P extends Place>(use: Use<P>, most: number): void {
  for (const [, caller] of wrongCallers) {
    const id = `delete-collaboration/refused-delete-has-no-effect:${caller}${use.ending}` as const
    const title = `After a refused delete by ${caller} ${use.what} is accepted.`
    survivesRefusal({ id, title }, caller, use, most)
  }
}

survivesRefusals(workspaces, 4)
survivesRefusals(participants, 4)
survivesRefusals(syncs, 1)
survivesRefusal({ id: 'delete-collaboration/refuses-invalid-credential' }, 'impostor', workspaces, 2)

/** Expects the use to be accepted after the delete of another collaboration that was used in the same way. */
function survivesOthers<P extends Place>(id: CheckId, use: Use<P>): void {
  const title = `After the delete of another collaboration ${use.what} is accepted.`
  check(id, { ...use.needs, title, traits: ['timed'] }, async (context) => {
    const { place, doomed } = await neighbours(context, use)
    await isSpared(context, use, place, {
      event: () => deleted(context, doomed),
      after: 'after the delete of another collaboration',
      waitMs: context.wait.laterMs,
      afterRefusal: false,
    })
  })
}

/**
 * A place of its own, because a wrong delete would spoil it for good, and a collaboration to delete: the one made before
 * it, in which the use was accepted as well, or any other if the provider has only one such place.
 */
async function neighbours<P extends Place>(
  context: CheckContext,
  use: Use<P>,
): Promise<{ readonly place: P; readonly doomed: Place }> {
  const one = await use.draw(context)
  const next = await ifOffered(use.beside?.(context, one) ?? use.draw(context))
  if (next === undefined || next.collaborationId === one.collaborationId) {
    const [any] = await context.given.different('collaboration', 1, { not: [one.collaborationId] })
    return { place: one, doomed: any as Place }
  }
  context.control(await use.first(context, one))
  const again = await use.again(context, one)
  await use.rested?.(context, one, again)
  return { place: next, doomed: one }
}

survivesOthers('delete-collaboration/others-unaffected', workspacesOfOneName)
survivesOthers('delete-collaboration/others-unaffected:participant', participants)
survivesOthers('delete-collaboration/others-unaffected:sync', syncs)

interface Event<P> {
  readonly event: (place: P) => Promise<Answer>
  /** The event in words. */
  readonly after: string
  readonly waitMs: number
  /** Whether the event is a refusal, so that a lock may be the reason for later refusals. */
  readonly afterRefusal: boolean
}

/** Uses it, has the event happen, and uses it again; after a delete a third time. Each use must be accepted. */
async function isSpared<P extends Place>(
  context: CheckContext,
  use: Use<P>,
  place: P,
  { event, after, waitMs, afterRefusal }: Event<P>,
): Promise<void> {
  const before = await use.first(context, place)
  context.control(before)
  const happened = await event(place)
  await context.wait.for(waitMs)
  let last = before
  const uses = afterRefusal ? [use.again] : [use.again, use.first]
  for (const [at, again] of uses.entries()) {
    await use.rested?.(context, place, last, happened)
    last = await again(context, place)
    if (use.isCertain?.(context, place) === false) context.control(last, `${use.what} ${after}`)
    if (!isAccepted(last)) await unlessAnyway(context, use, uses.slice(0, at + 1), afterRefusal)
    context.expect(last, happened).toBeAccepted(`${use.what}, ${after}`)
  }
}

/** Throws Unproven if the use is also refused without the event: the second time, or after a refusal. */
async function unlessAnyway<P extends Place>(
  context: CheckContext,
  use: Use<P>,
  uses: readonly Use<P>['first'][],
  afterRefusal: boolean,
): Promise<void> {
  let last: Answer | undefined
  for (let time = 0; time < looks.few && (last === undefined || !isAccepted(last)); time += 1) {
    const place = await use.draw(context)
    last = await use.first(context, place)
    context.control(last, `${use.what} where nothing was deleted,`)
    if (afterRefusal) await use.again(context, place, context.as.anonymous)
    for (const again of uses) {
      await use.rested?.(context, place, last)
      last = await again(context, place)
      if (!isAccepted(last)) break
    }
  }
  context.control(last as Answer, `${use.what} where nothing was deleted, the second time,`)
}

/**
 * Tries a delete on every path of the caller. Throws Unproven if one is accepted. Urgent, so that no refused delete of
 * another caller accompanies it, which might be the one with an effect.
 */
async function refused(context: CheckContext, caller: WrongCaller, collaborationId: string): Promise<Answer> {
  let last: Answer | undefined
  for (const portal of context.callers.portalsTriedBy(caller)) {
    const at = { collaborationId, portal }
    last = await context.callers.by(caller)('delete-collaboration', at, {}, { urgent: true })
    mustBeRefused(last, 'the delete was accepted, so there is nothing to judge')
  }
  return last as Answer
}
