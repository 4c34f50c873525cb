/** How much a run makes at most, as it announces, and the budget that enforces it. */
import { type ActorName, ofActors } from '../configuration/actors.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { MadeKind } from '../journal/journal.ts'
import { AdministrationError, ifRefused, isRefusal, notSent } from './refusals.ts'
import { madeActors } from './settings.ts'

/** What a run needs, and how much of it. */
export interface Needs {
  /** Whether collaborations, or at least groups, are needed. */
  readonly places: boolean
  /** Collaborations that checks use up. */
  readonly collaborations: number
  /** Workspaces that checks add. */
  readonly workspaces: number
  readonly taskRuns: number
  /** Whether users are needed who can or cannot receive items. */
  readonly receivers: boolean
  /** How many, by the actor who owns them. */
  readonly items: Readonly<Partial<Record<ActorName, number>>>
  readonly federation: boolean
}

/** Workspaces are deleted with their collaboration, so the journal does not name them. */
type AnnouncedKind = MadeKind | 'workspace'

/** The most that is made of each kind. */
export interface Announcement extends Readonly<Record<AnnouncedKind, number>> {
  /** Groups, if each takes only one workspace. */
  readonly groupsForOne: number
  /** Workspaces that checks add, in addition to those made for them. */
  readonly addedWorkspaces: number
}

/** How many receivers are made: more than are asked for at once, so that checks get different ones in turn. */
export const receivers = { eligibleUser: 9, ineligibleUser: 2 }

/** Tasks that run in the same minute: each run may start something large. */
export const mostTasks = 20

/** A run needs more than was counted if answers are lost or effects are read back. */
const margin = 1.5
/**
 * Before a check blames a target, it takes fresh fixtures twice. Runs on a target that added and deleted nothing took 274
 * collaborations, and on one that reassigned nothing 1,294 items.
 */
const forFindings = { collaborations: 250, items: 1500 }
/** Groups and workspaces that no check uses up. */
const lasting = 20
/** Items in the groups of workspaces whose syncs should take a while. */
const itemsToSync = 240
/** Workspaces that are linked for checks to sync. */
const workspacesToSync = 80
/** Roles and notebooks. A run needs fewer; the rest is for lost answers. */
const few = 8

/** How many workspaces checks may add, given the count on a conforming portal: findings are tried again. */
export const mostAdded = (counted: number): number => Math.ceil(2 * counted) + 2 * lasting

/** The announcement that follows from the needs of a run. */
export function announcementOf(
  { places, collaborations, workspaces, taskRuns, receivers: receive, items, federation }: Needs,
  { actors }: Pick<Configuration, 'actors'>,
): Announcement {
  const parts = madeActors.filter((name) => actors[name]?.made === true).length
  const users = parts + (receive ? receivers.eligibleUser + receivers.ineligibleUser : 0)
  const owned = ofActors(items).reduce((sum, [, count]) => sum + count, 0)
  const most = (count: number, more: number): number => (places ? Math.ceil(margin * count) + more : 0)
  const collaboration = most(collaborations, forFindings.collaborations)
  return {
    collaboration,
    workspace: most(0, workspacesToSync),
    addedWorkspaces: places ? mostAdded(workspaces) : 0,
    // Each workspace whose syncs should take a while has its own group. A federation needs groups, too.
    group: places ? most(collaborations, 2 * workspacesToSync + 3 * lasting) : federation ? lasting : 0,
    groupsForOne: places ? 2 * (collaboration + workspacesToSync) + mostAdded(workspaces) : 0,
    user: users,
    role: users === 0 ? 0 : few,
    item:
      (owned === 0 ? 0 : Math.ceil(margin * owned) + forFindings.items) +
      most(0, itemsToSync) +
      (taskRuns === 0 ? 0 : few),
    // Runs beyond the stock come from further tasks.
    task: taskRuns === 0 ? 0 : 3 * mostTasks,
    federation: federation ? 1 : 0,
  }
}

/** Counts what is made or may be made, and allows no more than was announced. */
export class Budget {
  readonly #most: Partial<Record<keyof Announcement, number>>
  readonly #used = new Map<AnnouncedKind, number>()

  /** What is not announced is not made. */
  constructor(announced: Partial<Announcement>) {
    this.#most = { ...announced }
  }

  /** Starts the count again, for the next round of a long run. */
  renew(): void {
    this.#used.clear()
  }

  /** Call it if a group takes only one workspace. */
  takesGroupsForOne(): void {
    this.#most.group = this.#most.groupsForOne ?? 0
  }

  /** Makes one thing. Rejects with an AdministrationError if the budget is used up. */
  async spend<T>(kind: AnnouncedKind, means: () => Promise<T>): Promise<T> {
    const count = (more: number) => this.#used.set(kind, (this.#used.get(kind) ?? 0) + more)
    const most = this.#most[kind] ?? 0
    if ((this.#used.get(kind) ?? 0) >= most)
      throw new AdministrationError(
        `the run announced at most ${most} ${kind}s and has used them up: see what the target refuses, or judge less at a time with --operation`,
        notSent,
      )
    count(1)
    return ifRefused(means(), (error) => {
      // A refused thing was not made. After a failure it may have been.
      if (isRefusal(error)) count(-1)
      throw error
    })
  }
}
