/** The lines of a journal: what a run was given, what it did with it, and what became of that. */
import type { OperationId } from '../../specs/operations.ts'
import type { PortalName } from '../configuration/actors.ts'
import type { CleanupAnswer } from '../fixtures/fixture-client.ts'
import type { FixtureKind } from '../fixtures/fixture-kinds.ts'

/** Names that the target or the provider gave: usable for removing things, and never a secret. */
export type Ids = Readonly<Record<string, string | readonly string[]>>

/** The first line: which run this is, and of what. */
export interface RunEntry {
  readonly entry: 'run'
  readonly format: 'portal-conformance/journal'
  readonly formatVersion: 1
  readonly id: string
  /** ISO 8601, UTC; of every other line too. */
  readonly time: string
  readonly suite: { readonly version: string }
  readonly target: { readonly baseUrl: string; readonly hostPortal: string }
  /** Options that name the target, for cleaning up later; no secrets. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The provider handed out a fixture. */
export interface FixtureEntry {
  readonly entry: 'fixture'
  readonly time: string
  readonly kind: FixtureKind
  readonly ids: Ids
  /** In a journal that was folded: workspaces that the run had added to it by then. */
  readonly workspaces?: readonly string[]
}

/** An operation is about to be performed. Without an answer of its number, what became of it is not known. */
export interface EffectEntry {
  readonly entry: 'effect'
  readonly time: string
  readonly number: number
  readonly operation: OperationId
  /** By whom: an actor, or a stranger. */
  readonly actor?: string
  /** What its path names, and the items and users in its body. */
  readonly on: Ids
}

/** The answer to an effect. `made`: what there is now that was not there before. */
export interface AnswerEntry {
  readonly entry: 'answer'
  readonly number: number
  readonly accepted: boolean
  readonly made?: Ids
}

/** What became of the fixtures at the provider. `failed`: it has to be asked again. */
export type ProviderCleanup = CleanupAnswer | 'failed'

/** A collaboration was deleted in a clean-up. */
export interface RemovedEntry {
  readonly entry: 'removed'
  readonly time: string
  readonly collaborationId: string
}

/** What the run makes through administration. */
export type MadeKind = 'collaboration' | 'group' | 'user' | 'role' | 'item' | 'task' | 'federation'

/** The run is about to make something itself, under a name that nothing else has. */
export interface MakingEntry {
  readonly entry: 'making'
  readonly time: string
  readonly kind: MadeKind
  readonly name: string
  readonly portal: PortalName
  /** User name of its owner. */
  readonly owner?: string
}

/** What was made under that name, and its id. */
export interface MadeEntry {
  readonly entry: 'made'
  readonly name: string
  readonly id: string
}

/** A clean-up is over: that of the run at its end, or the command `cleanup`. */
export interface CleanupEntry {
  readonly entry: 'cleanup'
  readonly time: string
  readonly provider: ProviderCleanup
  /** Disposable collaborations that are still there. */
  readonly left: readonly string[]
}

export type JournalEntry =
  | RunEntry
  | FixtureEntry
  | EffectEntry
  | AnswerEntry
  | MakingEntry
  | MadeEntry
  | RemovedEntry
  | CleanupEntry
