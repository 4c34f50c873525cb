import type { ConfigurationFile } from '../configuration.ts'
import type { Parts } from '../parts.ts'

/** One way of keeping the contract that differs from the plain portal: it settles an open point differently. */
export interface Variant {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does differently. */
  readonly sentence: string
  /** A run on it takes long: the self-test combines it with no other. */
  readonly takesLong?: true
  readonly alter?: (parts: Parts) => void
  /** What a run must be told of it. */
  readonly configure?: (configuration: ConfigurationFile) => void
}
