import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../../runner/answers.fixture.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { schemaOf } from '../../schemas/catalogue.ts'
import {
  expectNextToShow,
  expectToShow,
  expectUnchanged,
  fieldsOf,
  inWords,
  type Look,
  type Page,
  seenForLong,
  shownFederation,
} from './read-back.ts'

type Context = Parameters<typeof expectUnchanged>[0]

/** A context with that page, in which what must show is given to `toShow`. */
const reading = (
  read: () => Promise<Answer>,
  toShow: (answers: readonly Answer[], ...finding: unknown[]) => void,
) =>
  ({
    read,
    parts: { pagesShown: new Set() },
    wait: { retryUntil: (ask: () => Promise<Answer>) => ask(), settle: async () => {}, for: async () => {} },
    expect: (...answers: Answer[]) => ({ toShow: (...finding: unknown[]) => toShow(answers, ...finding) }),
    configuration: { run: { settleMs: 1 } },
  }) as unknown as Context

/** A deployment whose page of syncs says at each look what comes next, and then goes on saying the last. */
function showing(counts: (look: number) => number): Context {
  let looks = 0
  const read = async () => answerOf({ status: Array.from({ length: counts(looks++) }, () => ({})) })
  return reading(read, (_, holds, message) => {
    if (holds !== true) throw new Error(message as string)
  })
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
    const changing = showing((at) => Math.min(at, 3))
    expect(await seenForLong(changing, look)).toBe(3)
    const [one, two] = [showing(() => 1), showing(() => 2)]
    const shows = expectUnchanged(two, look, 1, refused)
    await expect(shows).rejects.toThrow('the request was refused, but its effect shows')
    await expect(expectUnchanged(one, look, 1, refused)).resolves.toBeUndefined()
  })
})

it('the federation that the page shows is found among those of the provider, or there is nothing to compare', async () => {
  const of = (id: string) => {
    const page = reading(
      async () => answerOf({ id }),
      () => {},
    )
    const [one, two] = [{ federationId: 'a' }, { federationId: 'b' }]
    return shownFederation({
      ...page,
      given: { federation: async () => one, different: async () => [one, two] },
    } as never)
  }
  expect(await of('a')).toMatchObject({ federationId: 'a' })
  expect(await of('b')).toMatchObject({ federationId: 'b' })
  await expect(of('c')).rejects.toThrow(NotApplicable)
})

describe('updates with other values each time', () => {
  /** Whether it is seen that the deployment loses that update. `others`: something else updates it before that. */
  async function sees(lost: number, others = 0): Promise<boolean> {
    let page: Page = { result: 'first' }
    let seen = false
    const context = reading(
      async () => answerOf(page),
      (_, holds) => {
        seen ||= holds !== true
      },
    )
    const thorough = { ...context, configuration: { run: { settleMs: 1, runs: 30 } } }
    const run: Look = { what: 'the run', page: 'run', at: {}, of: fieldsOf('result') }
    const next = async (time: number) => ({ result: `number ${time}` })
    let time = 0
    await expectNextToShow(thorough as never, run, { sent: page, mark: 'result' }, next, async (sent) => {
      time += 1
      if (time !== lost) page = sent
      if (time === others) page = { result: 'of another one' }
      return answerOf({ success: true })
    })
    return seen
  }

  it('show which one a node loses, unless something else changes the thing before', async () => {
    expect(await sees(0)).toBe(false)
    expect(await sees(5)).toBe(true)
    expect(await sees(5, 4)).toBe(false)
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
    const context = reading(
      async () => page,
      (...found) => void reported.push(found),
    )
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

it('docs/profiles.md has the fields of every page that a profile may name', () => {
  const page = readFileSync(new URL('../../docs/profiles.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('## Pages to read back')
  const pages = [...(table.split('\n## ')[0] as string).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(pages).toEqual(Object.keys(schemaOf('profile').properties?.reads?.properties ?? {}))
})
