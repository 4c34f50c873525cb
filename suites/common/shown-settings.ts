/** How a page shows settings in a notation of its own. Pure. */
import { isObject } from '../../schemas/values.ts'

/** Shorter texts are no certificate: a fingerprint, or a placeholder. */
const shortestCertificate = 400

/** The Base64 text of a certificate, without markers and white space. Undefined: no certificate. */
export function certificateIn(shown: unknown): string | undefined {
  if (typeof shown !== 'string') return undefined
  const text = shown.replace(/-----(?:BEGIN|END) [A-Z0-9 ]+-----/g, '').replace(/\\[rn]|\s/g, '')
  return text.length >= shortestCertificate && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : undefined
}

/**
 * The sent group ids that the page shows, in any notation and letter case. Undefined if it shows no ids: no groups at
 * all may mean that it hides them, and other texts may be titles.
 */
export function groupsIn(shown: unknown, sent: readonly string[]): readonly string[] | undefined {
  const written =
    typeof shown === 'string' ? shown : isObject(shown) || Array.isArray(shown) ? JSON.stringify(shown) : ''
  const text = written.toLowerCase()
  const lengths = new Set(sent.map((id) => id.length))
  const ids = (text.match(/[\w-]+/g) ?? []).filter((word) => lengths.has(word.length) && /\d/.test(word))
  const found = sent.filter((id) => text.includes(id.toLowerCase()))
  return ids.length === 0 && found.length === 0 ? undefined : found
}
