/** Workspaces whose syncs have something to do. How long they take nobody can promise: the deployment's own record tells it. */
import type { FixtureReply } from '../fixtures/fixture-kinds.ts'
import { pause } from '../patiently.ts'
import { AdministrationError, below, refusalOf } from './administrator.ts'
import type { Collaborations, MadeWorkspace } from './collaborations.ts'
import { at } from './trust.ts'
import type { Workshop } from './workshop.ts'

/** What a sync copies at most: it costs two requests each. */
const mostItems = 40
/** A sync that is to be met while it runs copies so many at least. */
const leastOfScheduled = 12
/** For so long a sync that was wished for copies one item; longer ones more and more, since nobody knows how long each takes. */
const oneItemMs = 300
const growth = 1.5

/** In this time a schedule is expected to have begun, in ms. */
const beginsWithinMs = 10_000
/** So far ahead of now it is set, in ms: some take no time that has passed, or wait for the next one then. */
const leadsMs = [0, 3000]

/** How many items a sync has to copy that should take so long, in ms. */
export const itemsFor = (wishedMs: number): number =>
  wishedMs === 0 ? 0 : Math.min(mostItems, Math.max(1, Math.round((wishedMs / oneItemMs) ** growth)))

export class ScheduledSyncs {
  readonly #workshop: Workshop
  readonly #collaborations: Collaborations
  /** Why there are none. */
  #lacking: string | undefined
  /** Leads that are worth trying. */
  #leadsMs: readonly number[] = leadsMs

  constructor(workshop: Workshop, collaborations: Collaborations) {
    this.#workshop = workshop
    this.#collaborations = collaborations
  }

  /** A workspace whose scheduled sync runs now. */
  async next(wishedMs: number): Promise<FixtureReply<'scheduledSync'>> {
    if (this.#lacking !== undefined) return { notOffered: this.#lacking }
    const items = Math.max(leastOfScheduled, itemsFor(wishedMs))
    const workspace = await this.#collaborations.workspace(undefined, items)
    if (await this.#begins(workspace)) return { ...workspace, remainingMs: 0 }
    const seconds = Math.round(beginsWithinMs / 1000)
    this.#lacking = `a sync that was scheduled for now did not begin within ${seconds} s`
    return { notOffered: this.#lacking }
  }

  /** Schedules a sync for now. Resolves as soon as there is one, or with false where none comes. */
  async #begins(workspace: MadeWorkspace): Promise<boolean> {
    let refusal: AdministrationError | undefined
    for (const leadMs of this.#leadsMs) {
      refusal = await refusalOf(this.#schedule(workspace, Date.now() + leadMs))
      if (refusal !== undefined) continue
      await pause(leadMs, this.#workshop.signal)
      if (!(await this.#hasBegun(workspace))) continue
      this.#leadsMs = [leadMs]
      return true
    }
    if (refusal !== undefined) throw refusal
    return false
  }

  async #schedule(workspace: MadeWorkspace, startTime: number): Promise<void> {
    const [guest] = this.#workshop.guests
    if (guest === undefined) throw new AdministrationError('no guest takes part in the collaboration')
    await guest.performAgain(`${pathOf(workspace)}/schedule/update`, {
      startTime: String(startTime),
      interval: '24',
      repeatCount: '-1',
    })
  }

  async #hasBegun(workspace: MadeWorkspace): Promise<boolean> {
    const { host } = this.#workshop
    const begun = await this.#workshop.until(async () => {
      const syncs = await host.readAny(`${pathOf(workspace)}/syncStatus`, 'status')
      return syncs.find(({ syncExecType }) => syncExecType === 'scheduled')
    }, beginsWithinMs)
    return begun !== undefined
  }
}

const pathOf = ({ collaborationId, workspaceId }: MadeWorkspace): string =>
  below(at(collaborationId), 'workspaces', workspaceId)
