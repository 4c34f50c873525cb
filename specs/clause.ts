/** A clause of the contract, and the kinds of rule. */
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
