import { describe, expect, it } from 'vitest'
import { judgePortal } from './judge-portal.ts'

/** With fewer cases some checks leave a further look out. */
const fewest = 8

/** Ways to be different in what the contract leaves open. */
const variants = [
  ['refusals-as-403-json'],
  ['refusals-as-400-html'],
  ['refusals-as-empty-500'],
  ['refusals-with-success-false'],
  ['plain-text-type', 'gzip'],
  ['chunked-slowly', 'extra-fields'],
  ['numeric-ids'],
  ['uuid-ids', 'other-sync-mode'],
  ['bearer-header', 'connection-closed'],
  ['cookie-credential', 'deep-base-path', 'portals-apart'],
  ['equal-names-refused', 'single-use-groups', 'open-parameters-required'],
  ['texts-trimmed-and-normalised', 'markup-removed', 'utf-16-limits'],
  ['second-sync-held', 'eventual-deletion'],
  ['second-sync-joins', 'idempotent-deletion'],
  ['throttled-429', 'created-201'],
  ['odd-ids', 'refusals-as-302-login', 'second-sync-queued'],
  ['short-ids', 'signed-credential', 'mixed-items-partly-taken', 'only-owner-updates-runs'],
  ['second-sync-elsewhere-refused'],
  ['session-cookies', 'texts-decomposed', 'json-written-otherwise', 'syncs-of-varying-length'],
  ['interim-answers', 'idle-connections-dropped'],
  ['error-null', 'ids-echoed-in-upper-case'],
  ['certificates-parsed', 'roles-and-licenses-looked-up', 'reserved-domains-refused'],
]

describe('a portal that differs in open points only', () => {
  it.concurrent.each(variants.map((ids) => [ids.join(' and '), ids] as const))(
    'is conformant: %s',
    async (_, ids) => {
      const { checks, breaches } = await judgePortal({
        variants: ids,
        seed: 12,
        runs: fewest,
        recorded: true,
      })
      expect(breaches).toEqual([])
      const isOpen = (reason = '') => /^an administrator may not update the runs of others/.test(reason)
      const short = checks.filter(
        ({ outcome, reason }) => outcome !== 'passed' && outcome !== 'warned' && !isOpen(reason),
      )
      expect(short.map(({ id, outcome, reason, failure }) => ({ id, outcome, reason, failure }))).toEqual([])
    },
  )
})

describe('the embedded portal itself', () => {
  it('passes every check, advice included', async () => {
    const { checks } = await judgePortal({ seed: 13, runs: 10 })
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  })
})
