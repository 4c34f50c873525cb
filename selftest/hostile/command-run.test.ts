import { describe, expect, it } from 'vitest'
import { checkOf, resultsOf } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { type CommandRun, judgeHostile, problemsOf } from './command-run.ts'

const inconclusive = { exitCode: 3, says: /no answer/ } as const

/** Results of a run of one check with this outcome. */
const resultsWith = (outcome: Outcome, reason = '') =>
  resultsOf([checkOf('add-workspace/creates', { outcome, reason })])

function runOf(changes: Partial<CommandRun> = {}): CommandRun {
  return {
    exitCode: 3,
    stdout: Buffer.from('Incomplete\n'),
    stderr: Buffer.from(''),
    files: [{ name: 'results.json', bytes: Buffer.from('{}') }],
    results: resultsWith('inconclusive', 'no answer came'),
    peakBytes: 100 * 1024 * 1024,
    secrets: ['planted-1234'],
    ...changes,
  }
}

describe('problemsOf', () => {
  it('finds no problem in a run that gives the reason and stays within its bounds', () => {
    expect(problemsOf(inconclusive, runOf())).toEqual([])
  })

  it.each<[string, Partial<CommandRun>, RegExp]>([
    ['another exit code', { exitCode: 0 }, /exit code 0 where 3/],
    ['a run that had to be killed', { exitCode: null }, /exit code none/],
    ['too much memory', { peakBytes: 301 * 1024 * 1024 }, /301 MiB/],
    [
      'a secret in a file',
      { files: [{ name: 'a.xml', bytes: Buffer.from('planted-1234') }] },
      /a.xml holds a planted/,
    ],
    ['a secret on stderr', { stderr: Buffer.from('planted-1234') }, /stderr holds a planted/],
    ['escapes on the terminal', { stdout: Buffer.from('\u001b[2J') }, /control characters/],
    ['a change of text direction on the terminal', { stdout: Buffer.from('\u202e') }, /control characters/],
    [
      'a script in a page',
      { files: [{ name: 'a.html', bytes: Buffer.from('<script>alert(1)') }] },
      /foreign script/,
    ],
    ['a passed check', { results: resultsWith('passed') }, /1 passed: add-workspace\/creates/],
    ['a failed check', { results: resultsWith('failed') }, /failed though nothing broke them/],
    ['a missing reason', { results: resultsWith('inconclusive', 'for some reason') }, /no reason says/],
  ])('reports %s', (_, changes, problem) => {
    expect(problemsOf(inconclusive, runOf(changes)).join('\n')).toMatch(problem)
  })

  it('reports an expected failure that did not come', () => {
    const expectation = { ...inconclusive, exitCode: 1, fails: ['add-workspace/creates'] } as const
    const failed = resultsWith('failed')
    const undecided = resultsWith('inconclusive', 'no answer')
    expect(problemsOf(expectation, runOf({ exitCode: 1, results: failed }))).toEqual([])
    expect(problemsOf(expectation, runOf({ exitCode: 1, results: undecided }))).toEqual([
      '1 did not fail: add-workspace/creates',
    ])
  })

  it('reports files of a run that did not begin', () => {
    const expectation = { exitCode: 4, says: /cannot be reached/ } as const
    const unbegun = runOf({ exitCode: 4, stderr: Buffer.from('it cannot be reached\n') })
    expect(problemsOf(expectation, { ...unbegun, files: [] })).toEqual([])
    expect(problemsOf(expectation, unbegun)).toEqual([
      'results.json was left behind by a run that did not begin',
    ])
  })
})

/** Quick targets of several families. The self-test tries all. */
it.each(['no-http', 'reset-in-mid-answer', 'untrusted-certificate', 'fixtures-fail'])(
  'the command handles the target %s',
  async (id) => {
    expect((await judgeHostile(id, { seed: 3, runs: 2 })).wrongs).toEqual([])
  },
)
