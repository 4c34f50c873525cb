import { describe, expect, it } from 'vitest'
import { judgedWith } from './parts/judged.fixture.ts'
import { rowsOf } from './run-selftest.ts'
import type { Alteration, Judged, Trial } from './trial.ts'

const alteration: Alteration = { seed: 1, runs: 30 }
const sharedAlteration: Alteration = { seed: 1, runs: 10 }
const good = judgedWith()
const bad = judgedWith({ wrongs: ['slow'] })

const trialOf = (name: string, changes: Partial<Trial> = {}): Trial => ({
  name,
  sentence: '',
  alteration,
  problemsIn: ({ wrongs }) => wrongs,
  ...changes,
})

/** Tries them with these judgements, one after the other. Returns the cases of each run, the problems and the repetitions. */
async function tried(trials: readonly Trial[], ...judgements: readonly Judged[]) {
  const runs: number[] = []
  const judge = async (given: Alteration) => judgements[runs.push(given.runs) - 1] as Judged
  const reports: number[] = []
  const { rows, again } = await rowsOf(trials, judge, (_, done) => reports.push(done))
  expect(reports).toHaveLength(trials.length + again)
  return { runs, again, problems: trials.map((trial) => rows.get(trial)?.problems) }
}

describe('rowsOf', () => {
  it.each<[string, Partial<Trial>, Judged, object]>([
    ['runs a trial without problems once', {}, good, { runs: [30], again: 0, problems: [[]] }],
    ['repeats a trial with problems; its last row counts', {}, bad, { again: 1, problems: [[]] }],
    ['does not repeat a trial that measures', { once: true }, bad, { again: 0, problems: [['slow']] }],
    [
      'does not repeat a false alarm',
      {},
      judgedWith({ failed: ['add-workspace/creates'], wrongs: ['blamed'] }),
      { again: 0, problems: [['blamed']] },
    ],
    [
      'repeats a trial that blamed a fault wrongly',
      { breaks: ['add-workspace/creates'] },
      judgedWith({ failed: ['add-workspace/creates'], wrongs: ['blamed'] }),
      { again: 1, problems: [[]] },
    ],
    [
      'reports an error of the suite as the only problem',
      { once: true },
      judgedWith({ broke: 'out of order', wrongs: ['slow'] }),
      { problems: [['the suite broke: out of order']] },
    ],
  ])('%s', async (_, changes, first, expected) => {
    expect(await tried([trialOf('x', changes)], first, good)).toMatchObject(expected)
  })

  it('runs trials alone only if their shared run does not show them', async () => {
    const shared = (shows: boolean) => ({
      alteration: sharedAlteration,
      shows: () => shows,
    })
    const trials = [
      trialOf('a', { shared: shared(true) }),
      trialOf('b', { shared: shared(false) }),
      trialOf('c', { shared: shared(true) }),
    ]
    expect((await tried(trials, good, good)).runs).toEqual([10, 30])
  })
})
