/** The definition of permitted variants. */
import type { ConfigurationFile } from '../configuration.ts'
import type { Alter } from '../parts.ts'

/** Requirements that a run may leave open on a variant, and the reason that it must give. */
export interface Opening {
  /** Globs over ids. */
  readonly requirements: readonly string[]
  readonly because: RegExp
}

/** What variants settle: an open point of the contract, or a part of the portal that one of them changes. */
type Point =
  | 'form of refusals'
  | 'place or form of credentials'
  | 'form of ids'
  | 'characters in lists of items'
  | 'clock'
  | 'texts kept'
  | 'second sync'
  | 'length of syncs'
  /** With one id for all syncs of a workspace nothing shows whether two of them overlapped. */
  | 'job ids that tell syncs apart'
  | 'throttling'
  | 'pace of answers'
  /** What leaves so much open that nothing else of the kind could show. */
  | 'requests lost for good'

/** A conforming portal that settles an open point of the contract in another way. */
export interface Variant {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does differently. */
  readonly sentence: string
  /**
   * Evidence that deployments may do so: a section of the contract that leaves it open, a public document or a report.
   */
  readonly because: string
  /** No portal has two variants that settle the same point. */
  readonly settles?: readonly Point[]
  /** The self-test never combines it, because a run takes long or it would hide other variants. */
  readonly takesLong?: true
  /** Globs over the requirement ids that the self-test judges, to save time. Absent: all. */
  readonly judged?: readonly string[]
  /** What a run may leave open because the variant hides it. Absent: nothing. */
  readonly may?: Readonly<Partial<Record<'not-tested' | 'inconclusive' | 'not-applicable', Opening>>>
  readonly alter?: Alter
  /** What the configuration of a run must state about it. */
  readonly configure?: (configuration: ConfigurationFile) => void
}

/** What a run may leave open, and why. */
export const leaving = (
  outcome: keyof NonNullable<Variant['may']>,
  requirements: readonly string[],
  because: RegExp,
): NonNullable<Variant['may']> => ({ [outcome]: { requirements, because } })

/** Turns a table by id into a list of variants. */
export const variantsOf = (variants: Readonly<Record<string, Omit<Variant, 'id'>>>): readonly Variant[] =>
  Object.entries(variants).map(([id, variant]) => ({ id, ...variant }))
