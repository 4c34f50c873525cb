/** What a run has left behind, as its journal tells it. Pure. */
import { hidden, hiddenAddress } from '../redaction/hidden.ts'
import type { EffectEntry, JournalEntry } from './journal-entry.ts'

/** A collaboration that was handed out as disposable and is not known to be gone. */
export interface LeftCollaboration {
  readonly id: string
  /** Workspaces that the run added to it. */
  readonly workspaces: readonly string[]
  /** Whether a delete was sent whose answer the journal does not have. */
  readonly perhapsGone: boolean
}

export interface LeftOver {
  readonly collaborations: readonly LeftCollaboration[]
  /** Whether the provider still has to be asked to clean up. */
  readonly providerDue: boolean
}

/** Whether an id is written in the journal as it is, and not hidden. */
export const isUsable = (id: string): boolean => !id.includes(hidden) && !id.includes(hiddenAddress)

/** What is left after all these entries. */
export function leftOverOf(entries: readonly JournalEntry[]): LeftOver {
  const disposable = new Map<string, { workspaces: string[]; perhapsGone: boolean }>()
  const unanswered = new Map<number, EffectEntry>()
  let providerDue = true
  const gone = (id: string) => {
    if (isUsable(id)) disposable.delete(id)
  }
  for (const entry of entries) {
    if (entry.entry === 'fixture') {
      providerDue = true
      if (entry.kind === 'collaboration')
        disposable.set(collaborationOf(entry.ids), { workspaces: [], perhapsGone: false })
    }
    if (entry.entry === 'making') providerDue = true
    if (entry.entry === 'effect') unanswered.set(entry.number, entry)
    if (entry.entry === 'answer') {
      const effect = unanswered.get(entry.number)
      unanswered.delete(entry.number)
      if (effect === undefined || !entry.accepted) continue
      const id = collaborationOf(effect.on)
      if (effect.operation === 'delete-collaboration') gone(id)
      if (effect.operation === 'add-workspace')
        disposable.get(id)?.workspaces.push(String(entry.made?.workspaceId ?? 'of unknown id'))
    }
    if (entry.entry === 'removed') gone(entry.collaborationId)
    if (entry.entry === 'cleanup') {
      providerDue = entry.provider === 'failed'
      if (entry.provider === 'done') disposable.clear()
    }
  }
  for (const { operation, on } of unanswered.values()) {
    const place = disposable.get(collaborationOf(on))
    if (operation === 'delete-collaboration' && place !== undefined) place.perhapsGone = true
  }
  const collaborations = [...disposable].map(([id, rest]) => ({ id, ...rest }))
  return { collaborations, providerDue }
}

const collaborationOf = (ids: EffectEntry['on']): string => String(ids.collaborationId)
