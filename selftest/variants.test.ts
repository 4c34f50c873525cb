import { describe, expect, it } from 'vitest'
import { judgePortal } from './judge-portal.ts'

/** With fewer cases some checks leave a further look out. */
const fewest = 8

/**
 * Ways to be different in what the contract leaves open, of each kind some: those of one portal differ in different
 * things. The self-test judges every variant there is, alone and beside others.
 */
const variants = [
  ['refusals-as-403-json', 'numeric-ids', 'second-sync-held', 'eventual-deletion'],
  ['refusals-with-success-false', 'cookie-credential', 'deep-base-path', 'portals-apart'],
  ['short-ids', 'signed-credential', 'mixed-items-partly-taken', 'only-owner-updates-runs'],
  ['chunked-slowly', 'extra-fields', 'second-sync-joins', 'idempotent-deletion'],
  ['texts-trimmed-and-normalised', 'markup-removed', 'utf-16-limits', 'open-parameters-required'],
  ['interim-answers', 'idle-connections-dropped', 'error-null', 'ids-echoed-in-upper-case'],
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
      const isOpen = (reason = '') =>
        /^an administrator may not update the runs of others|seem to be counts/.test(reason)
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
