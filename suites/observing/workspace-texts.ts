/** What a deployment does with texts of workspaces that the contract leaves open. Observed, never judged. */

import type { OpenPointId } from '../../specs/open-points.ts'
import { bodyJson } from '../../target/http/answer.ts'
import type { Answer } from '../../target/http/exchange.ts'
import type { Request } from '../context/calls.ts'
import type { CheckContext } from '../context/context.ts'
import { acceptance } from '../judging/acceptance.ts'

type Add = (request: Request) => Promise<Answer>

/** A name, what it is called in a report, and the names that a deployment may make of it. */
interface Trial {
  readonly point: OpenPointId
  readonly what: string
  readonly name: string
  readonly mayBecome: Readonly<Record<string, string>>
}

const trials: readonly Trial[] = [
  { point: 'empty-text', what: 'an empty name', name: '', mayBecome: {} },
  {
    point: 'text-normalisation',
    what: 'spaces at the ends',
    name: ' padded ',
    mayBecome: { trimmed: 'padded' },
  },
  {
    point: 'text-normalisation',
    what: 'decomposed letters',
    name: 'Cafe\u0301',
    mayBecome: { composed: 'Caf\u00e9' },
  },
  {
    point: 'text-normalisation',
    what: 'a control character',
    name: 'bell\u0007',
    mayBecome: { dropped: 'bell' },
  },
  {
    point: 'markup',
    what: 'markup',
    name: '<b>bold</b>',
    mayBecome: { removed: 'bold', escaped: '&lt;b&gt;bold&lt;/b&gt;' },
  },
  {
    point: 'markup',
    what: 'quotes',
    name: `'single' "double" O'Brien`,
    mayBecome: {
      removed: 'single double OBrien',
      escaped: '&#39;single&#39; &quot;double&quot; O&#39;Brien',
    },
  },
  { point: 'markup', what: 'a sum', name: '1+1=2', mayBecome: {} },
  {
    point: 'markup',
    what: 'a path',
    name: 'C:\\new\\table',
    mayBecome: { 'with its backslashes doubled': 'C:\\\\new\\\\table' },
  },
  { point: 'markup', what: 'placeholders', name: '{0} $1', mayBecome: { removed: ' ' } },
]

/** Tries names of every open kind, and finds out how characters beyond the basic plane are counted. */
export async function observeWorkspaceTexts(
  { given, observe }: CheckContext<never, never>,
  add: Add,
): Promise<void> {
  const request = await given.request('add-workspace', { portalGroupId: 'none' })
  const { portalGroupId: _, ...plain } = request
  const named = (collaborationWorkspaceName: string): Request => ({ ...plain, collaborationWorkspaceName })
  for (const { point, what, name, mayBecome } of trials) {
    const answer = await add(named(name))
    observe(point, `${what}: ${fateOf(answer, name, mayBecome)}`)
  }
  observe('astral-counting', await countingOf((name) => add(named(name))))
  const { lastSyncSuccess } = workspaceIn(await add(named('never synced')))
  if (typeof lastSyncSuccess === 'number')
    observe('negative-last-sync', `of a new workspace: ${lastSyncSuccess}`)
}

function fateOf(answer: Answer, name: string, mayBecome: Trial['mayBecome']): string {
  if (!acceptance(answer).accepted) return 'refused'
  const kept = workspaceIn(answer).name
  if (kept === name) return 'kept'
  return Object.entries(mayBecome).find(([, text]) => text === kept)?.[0] ?? 'changed in another way'
}

/** Names of one character that is one code point, two UTF-16 units and four bytes. */
async function countingOf(add: (name: string) => Promise<Answer>): Promise<string> {
  for (const [length, unit] of [
    [100, 'code points or graphemes'],
    [50, 'UTF-16 units'],
    [25, 'bytes'],
  ] as const) {
    if (acceptance(await add('\u{1f680}'.repeat(length))).accepted) return `counted in ${unit}`
  }
  return 'refused in any number'
}

function workspaceIn(answer: Answer): { readonly name?: unknown; readonly lastSyncSuccess?: unknown } {
  return acceptance(answer).accepted ? ((bodyJson(answer) as { workspace?: object }).workspace ?? {}) : {}
}
