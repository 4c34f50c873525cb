import { describe, expect, it } from 'vitest'
import type { JournalEntry } from './journal-entry.ts'
import { usedUpIn } from './used-up.ts'

let number = 0

/** An effect and, unless it was not answered, its answer. */
function performed(
  operation: Extract<JournalEntry, { entry: 'effect' }>['operation'],
  on: Readonly<Record<string, string | readonly string[]>>,
  accepted?: boolean,
): JournalEntry[] {
  number += 1
  const effect = { entry: 'effect', time: '', number, operation, on } as const
  return accepted === undefined ? [effect] : [effect, { entry: 'answer', number, accepted }]
}

describe('usedUpIn', () => {
  it('names what was deleted, updated and given away', () => {
    const used = usedUpIn([
      ...performed('delete-collaboration', { collaborationId: 'c1' }, true),
      ...performed('update-task-run', { userName: 'u', taskId: 't1', runId: 'r1' }, true),
      ...performed('reassign-items', { userName: 'u', items: ['i1', 'i2'] }, true),
      { entry: 'removed', time: '', collaborationId: 'c2' },
    ])
    expect([...used.collaborations]).toEqual(['c1', 'c2'])
    expect([...used.taskRuns]).toEqual(['r1'])
    expect([...used.items]).toEqual(['i1', 'i2'])
  })

  it('leaves out what was refused, and what was only added to or synced', () => {
    const used = usedUpIn([
      ...performed('delete-collaboration', { collaborationId: 'c1' }, false),
      ...performed('update-task-run', { runId: 'r1' }, false),
      ...performed('add-workspace', { collaborationId: 'c2' }, true),
      ...performed('sync-workspace', { collaborationId: 'c2', workspaceId: 'w' }, true),
    ])
    expect([used.collaborations.size, used.taskRuns.size, used.items.size]).toEqual([0, 0, 0])
  })

  it('counts what was not answered', () => {
    expect([
      ...usedUpIn(performed('delete-collaboration', { collaborationId: 'c1' })).collaborations,
    ]).toEqual(['c1'])
  })
})
