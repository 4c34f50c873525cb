/** A user of one of the organisations. */
import type { PortalName } from './portal-name.ts'

/** `administrator`: the default administrator role; `custom`: a custom role with administrative privileges. */
export type Role = 'administrator' | 'custom' | 'user'

export interface User {
  readonly username: string
  readonly password: string
  readonly organization: PortalName
  role: Role
  /** Of a custom role. */
  roleId?: string
  privileges: ReadonlySet<string>
  readonly folders: Set<string>
  /** The part that the user plays in a run; absent for users whom a fixture made. */
  readonly actor?: string
}
