import { describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../../runner/answers.fixture.ts'
import { NotApplicable } from '../../runner/findings.ts'
import {
  expectToShow,
  expectUnchanged,
  fieldsOf,
  inWords,
  type Look,
  type Page,
  seenForLong,
} from './read-back.ts'

/** A deployment whose page of syncs says at each look what comes next, and then goes on saying the last. */
function showing(counts: (look: number) => number) {
  let looks = 0
  const read = async () => {
    return answerOf({ status: Array.from({ length: counts(looks++) }, () => ({})) })
  }
  return {
    read,
    parts: { pagesShown: new Set() },
    wait: { retryUntil: (ask: () => Promise<Answer>) => ask(), settle: async () => {}, for: async () => {} },
    expect: () => ({
      toShow(holds: boolean, message: string) {
        if (!holds) throw new Error(message)
      },
    }),
    configuration: { run: { settleMs: 1 } },
  } as unknown as Parameters<typeof expectUnchanged>[0]
}

const look: Look = {
  what: 'the number of syncs',
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

  it('is distinguished from one that changed once', async () => {
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
    ).rejects.toThrow('the request was refused, but its effect shows')
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

describe('what a page shows in words', () => {
  it.each([
    [[], '(none)'],
    [['a', 'b'], '"a", "b"'],
    [Array.from({ length: 12 }, (_, at) => at), '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more'],
    [{ status: 'executing', result: undefined }, 'status: "executing", result: (not shown)'],
    [false, 'not what was sent'],
  ])('%j is %s', (seen, words) => {
    expect(inWords(seen)).toBe(words)
  })

  it('says what was expected where, and what was there how much later', async () => {
    const page = answerOf({ folders: ['Parks'] }).with({ sentAt: 5000 })
    const accepted = answerOf({}).with({ answeredAt: 3000 })
    const reported: unknown[] = []
    const context = {
      read: async () => page,
      parts: { pagesShown: new Set() },
      wait: {
        retryUntil: (ask: () => Promise<Answer>) => ask(),
        settle: async () => {},
        for: async () => {},
      },
      expect: (...answers: Answer[]) => ({
        toShow: (...finding: unknown[]) => reported.push([answers, ...finding]),
      }),
    } as unknown as Parameters<typeof expectToShow>[0]
    const folders: Look = {
      what: 'the folders of eva',
      page: 'content',
      at: {},
      of: (shown) => shown.folders,
      sentAs: ['targetFoldername'],
    }
    await expectToShow(context, folders, 'Trees', accepted)
    await expectToShow(context, folders, 'Parks', accepted)
    expect(reported).toEqual([
      [
        [page, accepted],
        false,
        'the request was accepted, but its effect does not show',
        {
          expected: 'the folders of eva: among them "Trees"',
          actual: '2.0 s later the folders of eva: "Parks"',
          request: ['targetFoldername'],
        },
      ],
      [[page, accepted], true, expect.any(String), expect.anything()],
    ])
  })
})
