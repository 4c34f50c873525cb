/** How much of what a run needs. */
import type { ActorName } from '../configuration/actors.ts'

export interface Needs {
  /** Whether anything of collaborations is needed, if only a group. */
  readonly places: boolean
  /** Those that are used up. */
  readonly collaborations: number
  readonly taskRuns: number
  /** Whether users are needed who receive items, or may not. */
  readonly receivers: boolean
  /** By the actor who owns them. */
  readonly items: Readonly<Partial<Record<ActorName, number>>>
  readonly federation: boolean
}
