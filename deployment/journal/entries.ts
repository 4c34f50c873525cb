/** The lines of a journal. */
import type { CleanupEntry, Thing } from '../../schemas/types/journal.ts'

export type {
  CleanupEntry,
  Journal as JournalEntry,
  RunEntry,
  Thing,
  UsedEntry,
} from '../../schemas/types/journal.ts'

/** Kinds of things that the run makes through administration. */
export type MadeKind = Thing['kind']

/** Whether the provider cleaned up. `failed`: the next clean-up asks it again. */
export type ProviderCleanup = CleanupEntry['provider']
