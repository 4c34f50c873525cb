import { describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../../runner/answers.fixture.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { expectUnchanged, fieldsOf, type Look, type Page, seenForLong } from './read-back.ts'

/** A deployment whose page of syncs says at each look what comes next, and then goes on saying the last. */
function showing(counts: (look: number) => number) {
  let looks = 0
  const read = async () => {
    return answerOf({ status: Array.from({ length: counts(looks++) }, () => ({})) })
  }
  return {
    read,
    settled: (ask: () => Promise<Answer>) => ask(),
    expect: () => ({
      toShow(holds: boolean, message: string) {
        if (!holds) throw new Error(message)
      },
    }),
    configuration: { run: { settleMs: 1 } },
  } as unknown as Parameters<typeof expectUnchanged>[0]
}

const look: Look = {
  page: 'syncs',
  at: {},
  of: ({ status }: Page) => (Array.isArray(status) ? status.length : 0),
}
const refused = answerOf({})

describe('a page that changes by itself', () => {
  it('shows nothing of one request', async () => {
    const always = showing((at) => at)
    await expect(seenForLong(always, look)).rejects.toThrow(NotApplicable)
    await expect(expectUnchanged(always, look, -1, refused)).rejects.toThrow(NotApplicable)
  })

  it('is told from one that changed once', async () => {
    expect(
      await seenForLong(
        showing((at) => Math.min(at, 3)),
        look,
      ),
    ).toBe(3)
    await expect(
      expectUnchanged(
        showing(() => 2),
        look,
        1,
        refused,
      ),
    ).rejects.toThrow('the request was refused, and yet it shows')
    await expect(
      expectUnchanged(
        showing(() => 1),
        look,
        1,
        refused,
      ),
    ).resolves.toBeUndefined()
  })
})

it('takes fields in whatever letter case a page has them', () => {
  expect(fieldsOf('contactFirstname', 'status')({ contactFirstName: 'Zoë', status: 'executing' })).toEqual({
    contactFirstname: 'Zoë',
    status: 'executing',
  })
})
