/** What a clause of the contract is, and what is said of an operation (§4): where it lives, what it takes, since when, for whom, and what must hold. */
import type { Level } from './outcomes.ts'

/** The kinds of rule; a report draws its matrix by them. */
export const ruleKinds = ['shape', 'limits', 'roles', 'relations', 'order', 'consequences', 'races'] as const

export type RuleKind = (typeof ruleKinds)[number]

/** One clause of the contract. Its id is a stable name: it stands in reports, waivers and command lines. */
export interface Clause {
  readonly id: string
  readonly level: Level
  readonly section: string
  readonly kind: RuleKind
  /** What must hold, as a sentence. */
  readonly text: string
  /** For an implied clause: what the contract says that cannot hold without it. */
  readonly follows?: string
  /** Whom the operation must refuse by it: actors, `anonymous` (no credential) and `impostor` (a made-up credential). */
  readonly refuses?: readonly string[]
  /** Whom it refuses or allows depends on whose things are asked for. */
  readonly dependsOnOwner?: true
  /** Whom the operation must let call it. */
  readonly allows?: readonly string[]
  /** Ids of the path that the answer repeats: each with the field that holds it. */
  readonly echoes?: readonly (readonly [field: string, pathParameter: string])[]
  /** The parameters, of the path or of the form, in which an id must be of something that exists. */
  readonly mustExist?: readonly string[]
  /** The parameter of the path whose id must belong to the ids before it. */
  readonly belongs?: 'runID' | 'workspaceID' | 'participantPortalID'
  /** The form parameter without which the request is refused. */
  readonly requires?: string
  /** The form parameter without which the request is accepted. */
  readonly doesWithout?: string
  /** It says what a refusal leaves as it was, and nothing of the parameters that a request needs. */
  readonly unaffected?: true
  /** The open point that must be settled before the clause can be judged. */
  readonly settledBy?: string
}

type Rule = Pick<Clause, 'level' | 'section' | 'kind'>

export const must = (section: string, kind: RuleKind): Rule => ({ level: 'must', section, kind })
export const implied = (section: string, kind: RuleKind): Rule => ({ level: 'implied', section, kind })
export const advice = (section: string, kind: RuleKind): Rule => ({ level: 'advice', section, kind })

/** Clauses by their ids, in that order; at least one. */
export const clausesOf = <const Id extends string>(clauses: Readonly<Record<Id, Omit<Clause, 'id'>>>) => {
  type Known = Clause & { readonly id: Id }
  const all = Object.entries<Omit<Clause, 'id'>>(clauses).map(([id, clause]) => ({ id, ...clause }))
  return all as readonly Clause[] as readonly [Known, ...Known[]]
}

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
