/** The paths that remove things. */
import type { MadeKind, Thing } from '../journal/journal.ts'
import { below } from './administrator.ts'

export const federationPath = '/portals/self/idp/federation'

/** The path that removes a thing, below the base URL of its portal. */
export function pathOf({ kind, id, name, owner }: Thing): string {
  const at: Readonly<Record<MadeKind, string>> = {
    collaboration: '/portals/self/collaborations',
    group: '/community/groups',
    user: '/community/users',
    role: '/portals/self/roles',
    item: below('/content/users', owner, 'items'),
    task: below('/community/users', owner, 'tasks'),
    federation: federationPath,
  }
  return below(at[kind], id ?? name, kind === 'federation' ? 'unregister' : 'delete')
}
