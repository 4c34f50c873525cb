/** Reads the release of a deployment from its pages. Pure. */
import type { Fields } from '../../schemas/any-value.ts'

/**
 * The release in the root page or in the organization. `currentVersion` is an internal number and never a release: 7.1 on
 * release 10.7, 10.1 on 11.0, a year on newer ones.
 */
export const releaseIn = ({ enterpriseVersion }: Fields): string | undefined => releaseText(enterpriseVersion)

/** `currentVersion` if it is a number. It is not the release. */
export function internalNumberIn({ currentVersion }: Fields): string | undefined {
  const text = String(currentVersion)
  return /^\d{1,4}(?:\.\d{1,6}){0,3}$/.test(text) ? text : undefined
}

/** The value if it looks like a release. */
export function releaseText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{2}\.\d{1,4}(?:\.\d{1,6}){0,3}$/.test(text) ? text : undefined
}
