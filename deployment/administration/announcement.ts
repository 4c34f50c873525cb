/** What a run announces that it makes at most, and the budget that keeps it to that. Everything that is made passes the budget. */

import { type ActorName, ofActors } from '../configuration/actors.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { MadeKind } from '../journal/journal-entry.ts'
import { AdministrationError } from './administrator.ts'
import { madeActors } from './settings.ts'

/** How much of what a run needs. */
export interface Needs {
  /** Whether anything of collaborations is needed, if only a group. */
  readonly places: boolean
  /** Those that are used up. */
  readonly collaborations: number
  /** Those that checks add. */
  readonly workspaces: number
  readonly taskRuns: number
  /** Whether users are needed who receive items, or may not. */
  readonly receivers: boolean
  /** By the actor who owns them. */
  readonly items: Readonly<Partial<Record<ActorName, number>>>
  readonly federation: boolean
}

/** Workspaces go with their collaborations, so that no journal names them. */
export type AnnouncedKind = MadeKind | 'workspace'

/** How much of each kind is made at most. */
export interface Announcement extends Readonly<Record<AnnouncedKind, number>> {
  /** Groups, where each of them takes one workspace only. */
  readonly groupsForOne: number
  /** Workspaces that checks add, beside those that are made for them. */
  readonly addedWorkspaces: number
}

/** Users who receive items, and users who may not: more than are asked for at once, so that those who are handed out in turn differ. */
export const receivers = { eligibleUser: 9, ineligibleUser: 2 }

/** Tasks that are fired in the same minute: each run may start something large. */
export const mostTasks = 20

/** A run uses up more than was counted where answers are lost, and where pages are read back. */
const margin = 1.5
/**
 * A check draws its fixtures anew, twice, before it blames a target that refuses valid requests: a target that adds and
 * deletes nothing took 274 collaborations, and one that reassigns nothing 1,294 items, until all of it was proved.
 */
const forFindings = { collaborations: 250, items: 600 }
/** Groups and workspaces that no check uses up. */
const lasting = 20
/** Items in the groups of workspaces whose syncs are to take a while. */
const itemsToSync = 240
/** Workspaces that are linked for checks to sync. */
const workspacesToSync = 80
/** Roles, one for each set of privileges, and notebooks, one for all tasks: the others are for answers that are lost. */
const few = 8

/** How many workspaces checks may add at most where that many were counted on a conforming portal: findings are tried again. */
export const mostAdded = (counted: number): number => Math.ceil(2 * counted) + 2 * lasting

/** Follows from what the run needs: the same number for who announces it and for who keeps to it. */
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
    // A federation names groups, too.
    // Each workspace whose syncs are to take a while has a group of its own.
    group: places ? most(collaborations, 2 * workspacesToSync + 3 * lasting) : federation ? lasting : 0,
    groupsForOne: places ? 2 * (collaboration + workspacesToSync) + mostAdded(workspaces) : 0,
    user: users,
    role: users === 0 ? 0 : few,
    item:
      (owned === 0 ? 0 : Math.ceil(margin * owned) + forFindings.items) +
      most(0, itemsToSync) +
      (taskRuns === 0 ? 0 : few),
    // Further runs come from 20 more tasks each time.
    task: taskRuns === 0 ? 0 : 3 * mostTasks,
    federation: federation ? 1 : 0,
  }
}

/** All of a kind that was announced is made, or may be. */
class UsedUp extends AdministrationError {}

/** Whether an error says so. */
export const isUsedUp = (error: unknown): boolean => error instanceof UsedUp

/** Counts what is made, and what may be, against what was announced. */
export class Budget {
  readonly #most: Record<AnnouncedKind, number>
  readonly #groupsForOne: number
  readonly #used = new Map<AnnouncedKind, number>()
  readonly #failures = new Map<AnnouncedKind, string>()

  constructor({ groupsForOne, addedWorkspaces: _, ...most }: Announcement) {
    this.#most = most
    this.#groupsForOne = groupsForOne
  }

  /** Begins anew, as in the next round of a long run. */
  renew(): void {
    this.#used.clear()
  }

  /** To be called once it is known that a group takes one workspace only. */
  takesGroupsForOne(): void {
    this.#most.group = this.#groupsForOne
  }

  /** Makes one by the given means. Rejects with an AdministrationError where all that was announced is used up. */
  async spend<T>(kind: AnnouncedKind, means: () => Promise<T>): Promise<T> {
    const used = this.#used.get(kind) ?? 0
    if (used >= this.#most[kind]) throw new UsedUp(this.#reason(kind))
    this.#used.set(kind, used + 1)
    try {
      return await means()
    } catch (error) {
      if (error instanceof AdministrationError) {
        this.#failures.set(kind, error.message)
        // What was refused was not made; without an answer, or after a failure, it may have been.
        if (isRefusal(error)) this.#used.set(kind, (this.#used.get(kind) ?? 1) - 1)
      }
      throw error
    }
  }

  #reason(kind: AnnouncedKind): string {
    const failure = this.#failures.get(kind)
    const last = failure === undefined ? '' : ` (last failure: ${failure})`
    return `the run announced at most ${this.#most[kind]} ${kind}s and has used them up${last}: see what the target refuses, or judge less at a time with --operation`
  }
}

const isRefusal = ({ code = 0 }: AdministrationError): boolean => code >= 400 && code < 500

/** For who makes nothing. */
export const nothingToMake: Announcement = {
  ...{ collaboration: 0, workspace: 0, addedWorkspaces: 0, group: 0, groupsForOne: 0 },
  ...{ user: 0, role: 0, item: 0, task: 0, federation: 0 },
}
