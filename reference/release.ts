/** The release of the portal, as its answers show it. */
import { compareReleases } from '../specs/releases.ts'
import type { Parts } from './parts.ts'

/** The first release whose answers contain `enterpriseVersion`. */
const firstThatSays = '11.3'

/**
 * `currentVersion` is an internal number: 7.1 for release 10.7, 10.1 for 11.0, and a year for newer releases and the
 * hosted edition. A client's source warns that it "may not match the version of the product".
 */
function internalNumber(release: string): string {
  const [major, minor] = release.split('.').map(Number)
  if (major === 10) return `${minor}.1`
  return compareReleases(release, '11.1') < 0 ? '10.1' : '2024.1'
}

/** The fields of answers that contain the release. */
export function releaseFields({ administration: { release, hosted } }: Parts): Record<string, string> {
  if (hosted) return { currentVersion: '2024.1' }
  return {
    currentVersion: internalNumber(release),
    ...(compareReleases(release, firstThatSays) < 0 ? {} : { enterpriseVersion: release }),
  }
}
