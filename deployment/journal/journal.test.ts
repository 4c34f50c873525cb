import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testFolder } from '../../cli/process/test-folder.fixture.ts'
import { Journal, JournalError, type RunEntry, readJournal, type Thing } from './journal.ts'

const run: RunEntry = {
  entry: 'run',
  format: 'portal-conformance/journal',
  formatVersion: 1,
  id: 'pc-1',
  time: '2026-01-31T12:00:00.000Z',
  suite: { version: '1' },
  target: { baseUrl: 'http://127.0.0.1/rest', hostPortal: 'host' },
  options: {},
}

const hideNothing = (text: string) => text

const journalFile = (): string => join(testFolder(), 'journal.ndjson')

function beginJournal(hide: (text: string) => string = hideNothing) {
  const file = journalFile()
  const journal = Journal.begin(file, run, hide)
  onTestFinished(() => journal.close())
  return { file, journal }
}

const group = (name: string): Thing => ({ entry: 'thing', kind: 'group', name, portal: 'guest' })
const made = (name: string): Thing => ({ ...group(name), id: `id of ${name}`, remove: '/x/delete' })
const namesIn = (file: string) => readJournal(file).things.map(({ name, id }) => name ?? id)

describe('Journal', () => {
  it('records each thing before and after creation, and drops it after removal', () => {
    const { file, journal } = beginJournal()
    journal.add(group('one'))
    journal.handedOut('c1')
    expect(readJournal(file)).toMatchObject({
      run,
      providerDue: true,
      things: [
        group('one'),
        { kind: 'collaboration', id: 'c1', remove: expect.stringContaining('/c1/delete') },
      ],
    })
    journal.add(made('one'))
    expect(readJournal(file).things).toContainEqual(made('one'))
    journal.deleted('c1')
    expect(namesIn(file)).toEqual(['one'])
    journal.gone(made('one'))
    expect(readJournal(file).things).toEqual([])
  })

  it('lists its own collaboration once, and keeps it after a check deleted it', () => {
    const { file, journal } = beginJournal()
    const ours: Thing = { entry: 'thing', kind: 'collaboration', name: 'n', id: 'c1', portal: 'host' }
    journal.add(ours)
    journal.handedOut('c1')
    journal.deleted('c1')
    expect(readJournal(file).things).toEqual([ours])
  })

  it('does not grow when things are added and removed', () => {
    const { file, journal } = beginJournal()
    const sizes = Array.from({ length: 100 }, (_, round) => {
      journal.handedOut(`c${10 + (round % 90)}`)
      journal.deleted(`c${10 + (round % 90)}`)
      return statSync(file).size
    })
    expect(new Set(sizes).size).toBe(1)
  })

  it('does not grow with the rounds of a long run', () => {
    const { file, journal } = beginJournal()
    const sizes = Array.from({ length: 5 }, () => {
      for (let count = 0; count < 10; count += 1) journal.handedOut(`c${count}`)
      journal.cleanedUp('done')
      return statSync(file).size
    })
    expect(new Set(sizes).size).toBe(1)
  })

  it('records leftovers after a clean-up, and whether the provider must clean up again', () => {
    const { file, journal } = beginJournal()
    journal.add(group('one'))
    journal.cleanedUp('not-offered')
    expect(readJournal(file)).toMatchObject({ things: [group('one')], providerDue: false })
    journal.cleanedUp('failed')
    expect(readJournal(file).providerDue).toBe(true)
    journal.cleanedUp('done')
    expect(readJournal(file)).toMatchObject({ things: [], providerDue: false })
    journal.add(group('two'))
    expect(readJournal(file)).toMatchObject({ things: [group('two')], providerDue: true })
  })

  it('hides secrets, also those learned later', () => {
    const { file, journal } = beginJournal((text) => text.replaceAll('secret', '***'))
    journal.add(group('of secret'))
    journal.hideAlso((text) => text.replaceAll('later', '***'))
    journal.add(group('of later'))
    expect(namesIn(file)).toEqual(['of ***', 'of ***'])
  })

  it('continues in the same file in another process', () => {
    const { file, journal } = beginJournal()
    for (const name of ['one', 'two', 'three']) journal.add(group(name))
    journal.gone(group('two'))
    journal.close()
    appendFileSync(file, '{"entry":"thing","kind":"gr')
    const again = Journal.goOn(readJournal(file), hideNothing)
    onTestFinished(() => again.close())
    expect(again.all).toEqual([group('one'), group('three')])
    again.gone(group('one'))
    again.add(group('four'))
    expect(namesIn(file).sort()).toEqual(['four', 'three'])
  })

  it.each([
    ['', 'no journal of a run: its first line must say which run it is'],
    ['{"entry":"cleanup"}\n', 'line 1: no line of a journal'],
    ['<html>\n', 'line 1: no JSON'],
    [`${JSON.stringify(group('one'))}\n`, 'no journal of a run'],
  ])('readJournal refuses a file with %j', (text, message) => {
    const file = journalFile()
    writeFileSync(file, text)
    expect(() => readJournal(file)).toThrow(message)
    expect(() => readJournal(file)).toThrow(JournalError)
  })

  it('reports files that cannot be read or written', () => {
    expect(() => readJournal('/nowhere/journal.ndjson')).toThrow('cannot be read: there is no such file')
    const begin = () => Journal.begin('/nowhere/journal.ndjson', run, hideNothing)
    expect(begin).toThrow(/^the journal .* cannot be written, so nothing may be changed: ENOENT/)
    const { journal } = beginJournal()
    journal.close()
    expect(() => journal.add(group('one'))).toThrow(JournalError)
    expect(() => journal.check()).toThrow(JournalError)
  })
})

const names = ['a', 'b', 'c of a longer name'.repeat(10)]
const aName = fc.constantFrom(...names)
const aStep = fc.oneof(
  fc.tuple(fc.constant('add' as const), aName.map(group)),
  fc.tuple(fc.constant('add' as const), aName.map(made)),
  fc.tuple(fc.constant('gone' as const), aName.map(group)),
)

/** The file after a kill within a change: the new line is written before the old one is erased. */
function cutOff(before: Buffer, after: Buffer, cut: number): Buffer {
  const space = 32
  const changed = [...after.keys()].filter((at) => before[at] !== after[at])
  const isErased = (at: number) => after[at] === space && before[at] !== undefined
  const inOrder = [...changed.filter((at) => !isErased(at)), ...changed.filter(isErased)]
  const left = Buffer.concat([before, Buffer.alloc(after.length - before.length)])
  const written = inOrder.slice(0, cut % (inOrder.length + 1))
  for (const at of written) left[at] = after[at] as number
  return left.subarray(0, Math.max(before.length, ...written.map((at) => at + 1)))
}

it('a kill at any byte of a write loses no thing that was in the journal before', () => {
  const file = journalFile()
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 20 }), aStep, fc.nat(), ([...steps], [last, thing], cut) => {
      const journal = Journal.begin(file, run, hideNothing)
      for (const [step, each] of steps) journal[step](each)
      const before = readFileSync(file)
      const was = new Set(namesIn(file))
      journal[last](thing)
      const after = readFileSync(file)
      journal.close()
      writeFileSync(file, cutOff(before, after, cut))
      const left = new Set(namesIn(file))
      for (const name of was) if (name !== thing.name) expect(left).toContain(name)
      if (last === 'add' && was.has(thing.name)) expect(left).toContain(thing.name)
    }),
    { numRuns: 300 },
  )
})
