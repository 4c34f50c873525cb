/** How much of what a run needs. */
import type { ActorName } from '../configuration/configuration.ts'

export interface Needs {
  readonly collaborations: number
  readonly taskRuns: number
  /** Users beside those who play a part; 0: none are needed. */
  readonly users: number
  /** By the actor who owns them. */
  readonly items: Readonly<Partial<Record<ActorName, number>>>
  readonly federation: boolean
}
