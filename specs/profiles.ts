/** The profiles that come with the suite. */
import type { Profile } from './profile.ts'
import { arcgisProfile } from './profiles/arcgis.ts'

export const profiles: readonly Profile[] = [arcgisProfile]

/** The built-in profile of that name. */
export function profileOf(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name)
}
