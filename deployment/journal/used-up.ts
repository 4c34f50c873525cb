/** Which fixtures a run has used up, as its journal tells it. Pure. */
import type { EffectEntry, Ids, JournalEntry } from './journal-entry.ts'
import { isUsable } from './left-over.ts'

/** Ids that are of no more use, by what they are of. A workspace or participant goes with its collaboration. */
export interface UsedUp {
  readonly collaborations: ReadonlySet<string>
  readonly items: ReadonlySet<string>
  readonly taskRuns: ReadonlySet<string>
}

/** What cannot serve a second time after all these entries; what was asked for and not answered counts as done. */
export function usedUpIn(entries: readonly JournalEntry[]): UsedUp {
  const used = { collaborations: new Set<string>(), items: new Set<string>(), taskRuns: new Set<string>() }
  const refused = new Set(
    entries.flatMap((entry) => (entry.entry === 'answer' && !entry.accepted ? [entry.number] : [])),
  )
  for (const entry of entries) {
    if (entry.entry === 'removed') used.collaborations.add(entry.collaborationId)
    if (entry.entry === 'effect' && !refused.has(entry.number)) useUp(used, entry)
  }
  for (const ids of Object.values(used)) for (const id of ids) if (!isUsable(id)) ids.delete(id)
  return used
}

function useUp(used: { readonly [Kind in keyof UsedUp]: Set<string> }, { operation, on }: EffectEntry): void {
  if (operation === 'delete-collaboration')
    for (const id of listed(on.collaborationId)) used.collaborations.add(id)
  if (operation === 'update-task-run') for (const id of listed(on.runId)) used.taskRuns.add(id)
  if (operation === 'reassign-items') {
    for (const id of listed(on.items).flatMap((items) => items.split(','))) used.items.add(id.trim())
  }
}

const listed = (ids: Ids[string] | undefined): readonly string[] =>
  ids === undefined ? [] : typeof ids === 'string' ? [ids] : ids
