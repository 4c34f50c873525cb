/** Which release the portal is, as its answers give it. */
import { compareReleases } from '../specs/releases.ts'
import type { Parts } from './parts.ts'

/** The first release that says in its answers which one it is. */
const firstThatSays = '11.3'

/**
 * `currentVersion` is an internal number: 7.1 for release 10.7, 10.1 for 11.0, a year on newer ones and on the hosted
 * edition. A client's source warns that it "may not match the version of the product".
 */
function internalNumber(release: string): string {
  const [major, minor] = release.split('.').map(Number)
  if (major === 10) return `${minor}.1`
  return compareReleases(release, '11.1') < 0 ? '10.1' : '2024.1'
}

/** The fields by which answers give the release. */
export function releaseFields({ administration: { release, hosted } }: Parts): Record<string, string> {
  if (hosted) return { currentVersion: '2024.1' }
  return {
    currentVersion: internalNumber(release),
    ...(compareReleases(release, firstThatSays) < 0 ? {} : { enterpriseVersion: release }),
  }
}
