import type { ConfigurationFile } from '../configuration.ts'
import type { Alter } from '../parts.ts'

/** Requirements that a run may leave open on a variant, and the reason that it must give. */
export interface Opening {
  /** Globs over ids. */
  readonly requirements: readonly string[]
  readonly because: RegExp
}

/** One way of keeping the contract that differs from the plain portal: it settles an open point differently. */
export interface Variant {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does differently. */
  readonly sentence: string
  /** The self-test combines it with no other: a run on it takes long, or others would hide what it says. */
  readonly takesLong?: true
  /** Globs over requirement ids: the self-test judges no others, since that would take too long. Absent: all. */
  readonly judged?: readonly string[]
  /** What a run may leave open, where it cannot see all that it wants to see. Absent: nothing. */
  readonly may?: Readonly<Partial<Record<'not-tested' | 'inconclusive' | 'not-applicable', Opening>>>
  readonly alter?: Alter
  /** What a run must be told of it. */
  readonly configure?: (configuration: ConfigurationFile) => void
}

/** Variants by their ids. */
export const variantsOf = (variants: Readonly<Record<string, Omit<Variant, 'id'>>>): readonly Variant[] =>
  Object.entries(variants).map(([id, variant]) => ({ id, ...variant }))
