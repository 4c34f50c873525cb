/** What is said of an operation of the contract (§4), all in one place: where it lives, what it takes, since when, for whom, and what must hold. */
import type { Clause } from './clause.ts'

/** Whether a form parameter must be sent. `open`: the contract does not say. */
export type Presence = 'required' | 'optional' | 'open'

export interface Parameter {
  readonly name: string
  readonly presence: Presence
}

export type Edition = 'self-hosted' | 'hosted'

/** Since when the operation exists (§9). Without `editions` the release counts for every edition. */
export interface Introduction {
  readonly release: string
  readonly editions?: readonly Edition[]
}

export interface Operation {
  readonly id: string
  readonly title: string
  readonly section: string
  /** What it is about (§1). */
  readonly subject: 'Collaborations' | 'Tasks' | 'Content' | 'Identity'
  /** The part of the contract that a deployment can keep by itself, to which it belongs. */
  readonly conformanceClass: 'host' | 'guest' | 'content' | 'tasks' | 'federation'
  /** Relative to the base URL; `{name}` is a path parameter. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Absent where the contract shows no version: then it is judged everywhere. */
  readonly introduced?: Introduction
  /** Who may call it, in words (§5). */
  readonly callers: string
  /** The actor by whom it is called where nothing else is judged. */
  readonly calledBy: string
  /** The kind of fixture that it is performed on; the fields of one fill in the path. */
  readonly on: string
  /** A call leaves its fixture in a state in which a second call may be refused: each call needs another. */
  readonly usesUp?: true
  /** What a call changes on the deployment, for those who must allow it. */
  readonly effect: string
  /** What must hold of it, in the order of the contract; the first is that a valid request is accepted. */
  readonly requirements: readonly Clause[]
}

export const open = (name: string): Parameter => ({ name, presence: 'open' })
export const required = (name: string): Parameter => ({ name, presence: 'required' })
export const optional = (name: string): Parameter => ({ name, presence: 'optional' })
