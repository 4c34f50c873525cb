import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JournalEntry, RunEntry } from './journal-entry.ts'
import {
  besideOf,
  EffectWriter,
  foldedOf,
  JournalError,
  JournalFailure,
  JournalWriter,
  leftOverOf,
  readJournal,
} from './journal-file.ts'

const time = '2026-01-31T12:00:00.000Z'
const run: RunEntry = {
  entry: 'run',
  format: 'portal-conformance/journal',
  formatVersion: 1,
  id: 'pc-1',
  time,
  suite: { version: '1' },
  target: { baseUrl: 'http://127.0.0.1/rest', hostPortal: 'host' },
  options: {},
}

function journalFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pc-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'journal.ndjson')
}

function begun(hide: (text: string) => string = (text) => text, foldAt = Number.POSITIVE_INFINITY) {
  const file = journalFile()
  new JournalWriter(file, hide).add(run)
  const writer = new EffectWriter(file, hide, foldAt)
  onTestFinished(() => writer.close())
  return { file, writer }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a journal', () => {
  it('comes back as it was written, what is about to be done before it is', async () => {
    const { file, writer } = begun()
    writer.fixture('collaboration', { collaborationId: 'c1' })
    const number = await writer.effect('add-workspace', 'hostAdministrator', { collaborationId: 'c1' })
    expect(readJournal(file).entries).toHaveLength(3)
    writer.answer(number, true, { workspaceId: 'w1' })
    await turn()
    expect(readJournal(file)).toMatchObject({
      run,
      entries: [
        run,
        { entry: 'fixture', kind: 'collaboration', ids: { collaborationId: 'c1' } },
        { entry: 'effect', number: 1, operation: 'add-workspace', actor: 'hostAdministrator' },
        { entry: 'answer', number: 1, accepted: true, made: { workspaceId: 'w1' } },
      ],
    })
  })

  it('holds of a fixture only what names something, and nothing that is hidden', async () => {
    const { file, writer } = begun((text) => text.replaceAll('secret', '***'))
    const fixture = { userName: 'u', taskId: 'of-secret', runId: 'r', password: 'open sesame' }
    writer.fixture('taskRun', fixture)
    await writer.effect('reassign-items', 'itemOwner', { userName: 'u', items: ['a', 'secret'] })
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/secret|sesame/)
    expect(readJournal(file).entries.slice(1)).toMatchObject([
      { ids: { userName: 'u', taskId: 'of-***', runId: 'r' } },
      { on: { userName: 'u', items: ['a', '***'] } },
    ])
  })

  it('may end in the middle of a line, and only there', async () => {
    const { file, writer } = begun()
    writer.fixture('group', { groupId: 'g' })
    await turn()
    const whole = readFileSync(file).length
    appendFileSync(file, '{"entry":"fixture","kind":"collab')
    expect(readJournal(file)).toMatchObject({ entries: [run, { entry: 'fixture' }], wholeBytes: whole })
    appendFileSync(file, `\n${JSON.stringify(run)}\n`)
    expect(() => readJournal(file)).toThrow(
      `${file}: line 3: no JSON; a journal has one JSON object on each line`,
    )
  })

  it.each([
    ['', 'no journal of a run: its first line must say which run it is'],
    ['{"entry":"cleanup"}\n', 'line 1: no line of a journal'],
    ['<html>\n', 'line 1: no JSON'],
    [`${JSON.stringify({ entry: 'answer', number: 1, accepted: true })}\n`, 'no journal of a run'],
  ])('is not what holds %j', (text, message) => {
    const file = journalFile()
    writeFileSync(file, text)
    expect(() => readJournal(file)).toThrow(message)
    expect(() => readJournal(file)).toThrow(JournalError)
  })

  it('that cannot be read or written says so', async () => {
    expect(() => readJournal('/nowhere/journal.ndjson')).toThrow('cannot be read: there is no such file')
    const open = () => new JournalWriter('/nowhere/journal.ndjson', (text) => text)
    expect(open).toThrow(/^the journal .* cannot be written, so nothing may be changed: ENOENT/)
    const writer = new EffectWriter(journalFile(), (text) => text, Number.POSITIVE_INFINITY)
    writer.close()
    writer.fixture('group', { groupId: 'g' })
    await turn()
    await expect(writer.effect('sync-workspace', undefined, {})).rejects.toThrow(JournalFailure)
  })
})

const fixture = (
  collaborationId: string,
  kind: 'collaboration' | 'participant' = 'collaboration',
): JournalEntry => ({
  entry: 'fixture',
  time,
  kind,
  ids: { collaborationId },
})
const effect = (
  number: number,
  operation: 'add-workspace' | 'delete-collaboration',
  collaborationId: string,
): JournalEntry => ({ entry: 'effect', time, number, operation, on: { collaborationId } })
const answer = (number: number, accepted: boolean, workspaceId?: string): JournalEntry => ({
  entry: 'answer',
  number,
  accepted,
  ...(workspaceId === undefined ? {} : { made: { workspaceId } }),
})
const cleanup = (provider: 'done' | 'failed' | 'not-offered', ...left: string[]): JournalEntry => ({
  entry: 'cleanup',
  time,
  provider,
  left,
})

describe('what is left over', () => {
  it.each<[string, readonly JournalEntry[], readonly string[], boolean]>([
    ['nothing but the provider to ask, after no more than the first line', [run], [], true],
    ['what was handed out to be deleted', [fixture('a'), fixture('b')], ['a', 'b'], true],
    ['not what was handed out for something else', [fixture('a', 'participant')], [], true],
    [
      'not what was deleted',
      [fixture('a'), effect(1, 'delete-collaboration', 'a'), answer(1, true)],
      [],
      true,
    ],
    [
      'what was not deleted',
      [fixture('a'), effect(1, 'delete-collaboration', 'a'), answer(1, false)],
      ['a'],
      true,
    ],
    ['what may be deleted', [fixture('a'), effect(1, 'delete-collaboration', 'a')], ['a'], true],
    [
      'not what was removed later',
      [fixture('a'), { entry: 'removed', time, collaborationId: 'a' }],
      [],
      true,
    ],
    ['nothing once the provider removed all', [fixture('a'), cleanup('done')], [], false],
    ['what a provider leaves', [fixture('a'), cleanup('not-offered', 'a')], ['a'], false],
    ['what a provider failed to remove', [fixture('a'), cleanup('failed', 'a')], ['a'], true],
    ['what came after a clean-up', [cleanup('done'), fixture('a')], ['a'], true],
    [
      'what is hidden, whatever was deleted',
      [fixture('***'), { entry: 'removed', time, collaborationId: '***' }],
      ['***'],
      true,
    ],
  ])('%s', (_, entries, ids, providerDue) => {
    const left = leftOverOf(entries)
    expect(left.collaborations.map(({ id }) => id)).toEqual(ids)
    expect(left.providerDue).toBe(providerDue)
  })

  it('says what was added to it, and whether a delete was under way', () => {
    const entries = [fixture('a'), effect(1, 'add-workspace', 'a'), effect(2, 'add-workspace', 'a')]
    const answers = [answer(1, true, 'w1'), answer(2, false), effect(3, 'delete-collaboration', 'a')]
    expect(leftOverOf([...entries, ...answers]).collaborations).toEqual([
      { id: 'a', workspaces: ['w1'], perhapsGone: true },
    ])
    expect(leftOverOf([...entries, answer(1, true)]).collaborations).toEqual([
      { id: 'a', workspaces: ['of unknown id'], perhapsGone: false },
    ])
  })
})

const ids = ['a', 'b', 'c', '***']
const mostNumbers = 9
const anId = fc.constantFrom(...ids)
/** What a run alone writes, in any order: numbers that come again, answers to nothing. */
const anEntry = fc.oneof(
  anId.map((id) => fixture(id)),
  anId.map((id) => fixture(id, 'participant')),
  fc
    .tuple(
      fc.integer({ min: 1, max: mostNumbers }),
      fc.constantFrom('add-workspace', 'delete-collaboration'),
      anId,
    )
    .map(([number, operation, id]) => effect(number, operation, id)),
  fc
    .tuple(
      fc.integer({ min: 1, max: mostNumbers }),
      fc.boolean(),
      fc.option(fc.constantFrom('w1', 'w2'), { nil: undefined }),
    )
    .map(([number, accepted, id]) => answer(number, accepted, id)),
)
const someEntries = fc.array(anEntry, { maxLength: 40 })

describe('a journal that is folded', () => {
  it('says the same of what is left, whatever follows', () => {
    fc.assert(
      fc.property(someEntries, someEntries, someEntries, (before, between, after) => {
        const all = [run, ...before, ...between, ...after]
        const once = foldedOf([run, ...before])
        const twice = foldedOf([...once, ...between])
        expect(leftOverOf([...twice, ...after])).toEqual(leftOverOf(all))
        expect(twice.length).toBeLessThanOrEqual(1 + ids.length + mostNumbers)
        expect(twice[0]).toEqual(run)
      }),
      { numRuns: 500 },
    )
  })

  it('is not folded where others wrote into it', () => {
    expect(() => foldedOf([run, { entry: 'made', name: 'n', id: '1' }])).toThrow(
      'not the journal of a run alone',
    )
  })

  it('stays small while a run goes on, and keeps what is left and what is under way', async () => {
    const { file, writer } = begun(undefined, 4000)
    writer.fixture('collaboration', { collaborationId: 'stays' })
    const adding = await writer.effect('add-workspace', 'hostAdministrator', { collaborationId: 'stays' })
    for (let round = 0; round < 100; round += 1) {
      const collaborationId = `c${round}`
      writer.fixture('collaboration', { collaborationId })
      const number = await writer.effect('delete-collaboration', 'hostAdministrator', { collaborationId })
      writer.answer(number, true)
      await turn()
      expect(statSync(file).size).toBeLessThan(5000)
    }
    writer.answer(adding, true, { workspaceId: 'w1' })
    await turn()
    expect(existsSync(besideOf(file))).toBe(false)
    expect(leftOverOf(readJournal(file).entries).collaborations).toEqual([
      { id: 'stays', workspaces: ['w1'], perhapsGone: false },
    ])
  })

  it('goes on growing where it cannot be folded', async () => {
    const { file, writer } = begun(undefined, 1000)
    appendFileSync(file, 'damaged\n')
    for (let number = 0; number < 30; number += 1)
      await writer.effect('sync-workspace', 'syncInitiator', { workspaceId: `w${number}` })
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(32)
    expect(existsSync(besideOf(file))).toBe(false)
  })
})
