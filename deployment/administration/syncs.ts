/** Workspaces whose syncs have something to do. How long they take nobody can promise: the deployment's own record tells it. */
import { AdministrationError } from './administrator.ts'
import { at, type Collaborations, type MadeWorkspace } from './collaborations.ts'
import type { Workshop } from './workshop.ts'

/** What a sync copies at most: it costs two requests each. */
const mostItems = 40
/** A sync that is to be met while it runs copies so many at least. */
const leastOfScheduled = 12
/** For so long a sync that was wished for copies one item; longer ones more and more, since nobody knows how long each takes. */
const oneItemMs = 300
const growth = 1.5

/** In this time a schedule that begins now is expected to have begun, in ms. */
const beginsWithinMs = 10_000

/** How many items a sync has to copy that should take so long, in ms. */
export const itemsFor = (wishedMs: number): number =>
  wishedMs === 0 ? 0 : Math.min(mostItems, Math.max(1, Math.round((wishedMs / oneItemMs) ** growth)))

export class ScheduledSyncs {
  readonly #workshop: Workshop
  readonly #collaborations: Collaborations
  /** Why there are none. */
  #lacking: string | undefined

  constructor(workshop: Workshop, collaborations: Collaborations) {
    this.#workshop = workshop
    this.#collaborations = collaborations
  }

  /** A workspace whose scheduled sync runs now, or the reason why there is none. */
  async next(wishedMs: number): Promise<MadeWorkspace | string> {
    if (this.#lacking !== undefined) return this.#lacking
    const items = Math.max(leastOfScheduled, itemsFor(wishedMs))
    const workspace = await this.#collaborations.workspace(undefined, items)
    const found = await this.#begun(workspace)
    if (found === undefined) {
      const seconds = Math.round(beginsWithinMs / 1000)
      this.#lacking = `a sync that was scheduled for now did not begin within ${seconds} s`
      return this.#lacking
    }
    // Where it was over before it was seen, the next one that is wished for is longer.
    return workspace
  }

  /** The status of the first scheduled sync, as soon as there is one. */
  async #begun({ collaborationId, workspaceId }: MadeWorkspace): Promise<string | undefined> {
    const { host, guests } = this.#workshop
    const workspace = `${at(collaborationId)}/workspaces/${encodeURIComponent(workspaceId)}`
    const [guest] = guests
    if (guest === undefined) throw new AdministrationError('no guest takes part in the collaboration')
    await guest.performAgain(`${workspace}/schedule/update`, {
      startTime: String(Date.now()),
      interval: '24',
      repeatCount: '-1',
    })
    return this.#workshop.until(async () => {
      const syncs = await host.readAny(`${workspace}/syncStatus`, 'status')
      const scheduled = syncs.find(({ syncExecType }) => syncExecType === 'scheduled')
      return scheduled === undefined ? undefined : String(scheduled.status)
    }, beginsWithinMs)
  }
}
