/** Workspaces whose syncs have items to copy. How long they take cannot be promised; the deployment's record shows it. */
import type { FixtureReply } from '../fixtures/fixture-kinds.ts'
import { AdministrationError, below } from './administrator.ts'
import type { Collaborations, MadeWorkspace } from './collaborations.ts'
import type { Maker } from './maker.ts'
import { collaborationPath } from './trust.ts'

/** The most items that a sync copies: each costs two requests. */
const mostItems = 40
/** The fewest items of a scheduled sync, which checks must meet while it runs. */
const leastOfScheduled = 12
/** A sync of this length copies one item, and longer ones more than proportionally, because the time of an item is unknown. */
const oneItemMs = 300
const growth = 1.5

/** How long a schedule may take to begin, in ms. */
const beginsWithinMs = 10_000
/** How many items a sync copies that should take that long, in ms. */
export const itemsFor = (wishedMs: number): number =>
  wishedMs === 0 ? 0 : Math.min(mostItems, Math.max(1, Math.round((wishedMs / oneItemMs) ** growth)))

export class ScheduledSyncs {
  readonly #maker: Maker
  readonly #collaborations: Collaborations
  /** Why there are no scheduled syncs. */
  #lacking: string | undefined

  constructor(maker: Maker, collaborations: Collaborations) {
    this.#maker = maker
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

  /** Schedules a sync for now. Resolves with whether it began. */
  async #begins(workspace: MadeWorkspace): Promise<boolean> {
    await this.#schedule(workspace, Date.now())
    return this.#hasBegun(workspace)
  }

  async #schedule(workspace: MadeWorkspace, startTime: number): Promise<void> {
    const [guest] = this.#maker.guests
    if (guest === undefined) throw new AdministrationError('no guest takes part in the collaboration')
    await guest.performAgain(`${pathOf(workspace)}/schedule/update`, {
      startTime: String(startTime),
      interval: '24',
      repeatCount: '-1',
    })
  }

  async #hasBegun(workspace: MadeWorkspace): Promise<boolean> {
    const { host } = this.#maker
    const begun = await this.#maker.until(async () => {
      const syncs = await host.readAny(`${pathOf(workspace)}/syncStatus`, 'status')
      return syncs.find(({ syncExecType }) => syncExecType === 'scheduled')
    }, beginsWithinMs)
    return begun !== undefined
  }
}

const pathOf = ({ collaborationId, workspaceId }: MadeWorkspace): string =>
  below(collaborationPath(collaborationId), 'workspaces', workspaceId)
