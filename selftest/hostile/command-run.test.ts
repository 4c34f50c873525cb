import { describe, expect, it } from 'vitest'
import { checkOf, resultsOf } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { hostileTargets } from '../parts/hostile.ts'
import { type CommandRun, problemsOf, runAgainst } from './command-run.ts'

const inconclusive = { exitCode: 3, says: /no answer/, timeoutsMs: 1000 } as const

/** Results of a run of one check, which ended so. */
const ended = (outcome: Outcome, reason = '') =>
  resultsOf([checkOf('add-workspace/creates', { outcome, reason })])

function runOf(changes: Partial<CommandRun> = {}): CommandRun {
  return {
    exitCode: 3,
    stdout: Buffer.from('Incomplete\n'),
    stderr: Buffer.from(''),
    files: [{ name: 'results.json', bytes: Buffer.from('{}') }],
    results: ended('inconclusive', 'no answer came'),
    durationMs: 5999,
    peakBytes: 100 * 1024 * 1024,
    secrets: ['planted-1234'],
    wrongs: [],
    ...changes,
  }
}

describe('problemsOf', () => {
  it('is content with a run that says what happened and keeps its bounds', () => {
    expect(problemsOf(inconclusive, runOf())).toEqual([])
  })

  it.each<[string, Partial<CommandRun>, RegExp]>([
    ['another exit code', { exitCode: 0 }, /exit code 0 where 3/],
    ['a run that had to be ended', { exitCode: null }, /exit code none/],
    ['time', { durationMs: 6001 }, /took 6001 ms where 6000/],
    ['memory', { peakBytes: 301 * 1024 * 1024 }, /301 MiB/],
    [
      'a secret in a file',
      { files: [{ name: 'a.xml', bytes: Buffer.from('planted-1234') }] },
      /a.xml holds a planted/,
    ],
    ['a secret on stderr', { stderr: Buffer.from('planted-1234') }, /stderr holds a planted/],
    ['escapes on the terminal', { stdout: Buffer.from('\u001b[2J') }, /control characters/],
    ['a turned direction on the terminal', { stdout: Buffer.from('\u202e') }, /control characters/],
    [
      'a script in a page',
      { files: [{ name: 'a.html', bytes: Buffer.from('<script>alert(1)') }] },
      /foreign script/,
    ],
    ['what the target saw', { wrongs: ['a credential got out'] }, /a credential got out/],
    ['a pass', { results: ended('passed') }, /1 passed: add-workspace\/creates/],
    ['a failure', { results: ended('failed') }, /failed though nothing broke them/],
    ['silence on what happened', { results: ended('inconclusive', 'for some reason') }, /no reason says/],
  ])('complains of %s', (_, changes, complaint) => {
    expect(problemsOf(inconclusive, runOf(changes)).join('\n')).toMatch(complaint)
  })

  it('wants exactly the failures that are named', () => {
    const expectation = { ...inconclusive, exitCode: 1, fails: ['add-workspace/creates'] } as const
    const failed = ended('failed')
    const held = ended('inconclusive', 'no answer')
    expect(problemsOf(expectation, runOf({ exitCode: 1, results: failed }))).toEqual([])
    expect(problemsOf(expectation, runOf({ exitCode: 1, results: held }))).toEqual([
      '1 did not fail: add-workspace/creates',
    ])
  })

  it('wants nothing left behind by a run that could not begin', () => {
    const expectation = { exitCode: 4, says: /cannot be reached/, timeoutsMs: 0 } as const
    const unbegun = runOf({ exitCode: 4, stderr: Buffer.from('it cannot be reached\n'), durationMs: 100 })
    expect(problemsOf(expectation, { ...unbegun, files: [] })).toEqual([])
    expect(problemsOf(expectation, unbegun)).toEqual([
      'results.json was left behind by a run that did not begin',
    ])
  })
})

/** Quick ones of several families; the whole list is tried by the selftest command. */
const quick = ['redirect-with-body', 'shorter-than-announced', 'certificate-of-another-host', 'fixtures-fail']

/** Bounds of time and memory are judged by the selftest command, where nothing else runs beside. */
const elsewhere = /^took /

describe('the command against a hostile target', () => {
  it.each(quick)('%s', async (id) => {
    const target = hostileTargets.find((each) => each.id === id)
    if (target === undefined) throw new Error(`no target ${id}`)
    const run = await runAgainst(target, { seed: 3, runs: 2 })
    expect(problemsOf(target.expect, run).filter((problem) => !elsewhere.test(problem))).toEqual([])
  })
})
