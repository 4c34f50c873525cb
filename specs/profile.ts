/**
 * What a profile says of a kind of deployment, and the profiles that come with the suite. A profile settles open points,
 * and never changes a requirement.
 */
import type { OpenPointId } from './open-points.ts'
import { arcgisProfile } from './profiles/arcgis.ts'
import type { Profile } from './types/profile.ts'

export type { Profile } from './types/profile.ts'
export type { Settlements } from './types/settlements.ts'

type Present<Key extends keyof Profile> = NonNullable<Profile[Key]>

export type ProfilePoint = Present<'points'>[number]

/** An answer that breaks the contract and is known of such deployments. */
export type KnownShape = Present<'shapes'>[number]

/** Why a request is refused. */
export type RefusalCause = keyof Present<'errors'>

/** Pages that show what operations do. */
export type ReadName = keyof Present<'reads'>

/** What may take longer than an ordinary answer. */
export type SlowRequest = keyof Present<'durations'>

/** What a profile can close: lists of values, and overlapping syncs. */
export const closablePoints = [
  'run-statuses',
  'sign-up-modes',
  'user-types',
  'own-syncs',
] as const satisfies readonly OpenPointId[]

export const profiles: readonly Profile[] = [arcgisProfile]

/** The built-in profile of that name. */
export function profileOf(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name)
}
