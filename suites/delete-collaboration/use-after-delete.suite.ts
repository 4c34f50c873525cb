/** §4.6 Use it, something is deleted or was refused to be, use it again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { mustBeRefused } from '../../runner/findings.ts'
import { deleted, doomedBeside, type Place } from '../common/collaborations.ts'
import { actorsOf, laterMs } from '../common/wrong-callers.ts'
import { participants, syncs, type Use, workspaces } from './uses.ts'
import { triesAtOnce, type WrongCaller, wrongCallers } from './wrong-callers.ts'

const check = suite<ActorName, FixtureKind>({ actors: ['hostAdministrator'], fixtures: ['collaboration'] })

/** After a delete the use is refused. */
function isOver<P extends Place>(id: CheckId, use: Use<P>): void {
  const title = `After the delete the collaboration takes ${use.what} no more.`
  check(id, { ...use.needs, title, traits: ['timed'] }, async (context) => {
    const { as, control, expect, settled, configuration } = context
    const place = await use.draw(context)
    const { collaborationId } = place
    const again = () => use.again(context, place)
    control(await use.first(context, place))
    // A delete that was refused just before must not keep the collaboration.
    mustBeRefused(
      await as.anonymous('delete-collaboration', { collaborationId }),
      'the delete without a credential was accepted, so nothing was left to delete',
    )
    const gone = await deleted(context, { collaborationId })
    const after = await settled(again, (answer) => !isAccepted(answer))
    expect(after, gone).toBeRefused(`the deleted collaboration took ${use.what}`)
    await sleep(configuration.run.settleMs)
    expect(await again(), gone, after).toBeRefused(`the deleted collaboration took ${use.what} later`)
    const second = await as.hostAdministrator('delete-collaboration', { collaborationId })
    expect(await again(), gone, second).toBeRefused(
      `the deleted collaboration took ${use.what} after a second delete`,
    )
  })
}

isOver('delete-collaboration/gone-after-delete', workspaces)
isOver('delete-collaboration/gone-after-delete:participant', participants)

/** After a refused delete the use is accepted: a check for each caller who may not delete. */
function survivesRefusals<P extends Place>(use: Use<P>, { most }: { readonly most: number }): void {
  for (const [, caller] of wrongCallers) {
    const id = `delete-collaboration/refused-delete-has-no-effect:${caller}${use.ending}` as const
    const title = `After a refused delete by ${caller} ${use.what} is accepted.`
    const needs = { ...use.needs, actors: [...(use.needs.actors ?? []), ...actorsOf(caller)], title }
    check(id, needs, async (context) => {
      const after = 'after the refused delete'
      const look = (waitMs: number) => {
        const event = (place: P) => refused(context, caller, place.collaborationId)
        // What one caller was refused, the next one tries in the same place.
        return context.given.inTurn(
          `tried delete-collaboration with ${use.what}`,
          () => use.draw(context),
          (place) => isSpared(context, use, place, { event, after, waitMs, afterRefusal: true }),
          { most: triesAtOnce(context) },
        )
      }
      // What was refused must not happen later either.
      if (use.ending === '') await look(laterMs(context))
      await context.inSituations(() => look(0), most)
    })
  }
}

survivesRefusals(workspaces, { most: 4 })
survivesRefusals(participants, { most: 4 })
survivesRefusals(syncs, { most: 1 })

/** After the delete of another collaboration the use is accepted. */
function survivesOthers<P extends Place>(id: CheckId, use: Use<P>): void {
  const title = `After the delete of another collaboration ${use.what} is accepted.`
  check(id, { ...use.needs, title, traits: ['timed', 'further'] }, async (context) => {
    // A place of its own: what a delete spoils stays spoilt.
    const place = await use.draw(context)
    const doomed = await doomedBeside(context, place.collaborationId)
    const after = 'after the delete of another collaboration'
    await isSpared(context, use, place, {
      event: () => deleted(context, doomed),
      after,
      waitMs: 0,
      afterRefusal: false,
    })
  })
}

survivesOthers('delete-collaboration/others-unaffected:participant', participants)
survivesOthers('delete-collaboration/others-unaffected:sync', syncs)

interface Event<P> {
  readonly event: (place: P) => Promise<Answer>
  /** The event in words. */
  readonly after: string
  readonly waitMs: number
  /** The event is a refusal, after which any use may be refused. */
  readonly afterRefusal: boolean
}

/** Used, then the event, then used again, and after a delete for a third time: accepted each time. */
async function isSpared<P extends Place>(
  context: CheckContext,
  use: Use<P>,
  place: P,
  { event, after, waitMs, afterRefusal }: Event<P>,
): Promise<void> {
  const before = await use.first(context, place)
  context.control(before)
  const happened = await event(place)
  await sleep(waitMs)
  let last = before
  const uses = afterRefusal ? [use.again] : [use.again, use.first]
  for (const [at, again] of uses.entries()) {
    await use.rested(context, place, last)
    last = await again(context, place)
    if (!use.isCertain(context, place)) context.control(last, `${use.what} ${after}`)
    if (!isAccepted(last)) await unlessAnyway(context, use, uses.slice(0, at + 1), afterRefusal)
    context.expect(last, happened).toBeAccepted(`${use.what}, ${after}`)
  }
}

/** How often it is tried undisturbed: other checks delete collaborations meanwhile. */
const undisturbed = 4

/** Inconclusive where the refusal comes without the event as well: for a use that is no first one, or after a refused one. */
async function unlessAnyway<P extends Place>(
  context: CheckContext,
  use: Use<P>,
  uses: readonly Use<P>['first'][],
  afterRefusal: boolean,
): Promise<void> {
  let last: Answer | undefined
  for (let time = 0; time < undisturbed && (last === undefined || !isAccepted(last)); time += 1) {
    const place = await use.draw(context)
    last = await use.first(context, place)
    context.control(last, `${use.what} where nothing was deleted,`)
    if (afterRefusal) await use.again(context, place, context.as.anonymous)
    for (const again of uses) {
      await use.rested(context, place, last)
      last = await again(context, place)
      if (!isAccepted(last)) break
    }
  }
  context.control(last as Answer, `${use.what} where nothing was deleted, the second time,`)
}

/** Asks for a delete on every path that the caller is tried on. Inconclusive where one is accepted. */
async function refused(context: CheckContext, caller: WrongCaller, collaborationId: string): Promise<Answer> {
  let last: Answer | undefined
  for (const portal of context.callers.portalsTriedBy(caller)) {
    last = await context.callers.by(caller)('delete-collaboration', { collaborationId, portal })
    mustBeRefused(last, 'the delete was accepted, so there is nothing to look at')
  }
  return last as Answer
}
