/** Hostile and broken targets: the command must handle each of them. */
import { codeOf } from '../../reporters/nodes.ts'
import { brokenAnswers, brokenFixtures, wrongAnswers } from '../hostile/broken-answers.ts'
import { problemsOf, runAgainst } from '../hostile/command-run.ts'
import { notAPortal, unreachable } from '../hostile/not-a-portal.ts'
import type { HostileTarget } from '../hostile/servers.ts'
import {
  cleanCell,
  countOf,
  fewRuns,
  isClean,
  type Part,
  sectionOf,
  type TrialPlan,
  timeCell,
} from './part.ts'

/** The slowest come first. */
export const hostileTargets: readonly HostileTarget[] = [
  ...brokenFixtures.toReversed(),
  ...wrongAnswers,
  ...brokenAnswers,
  ...notAPortal,
  ...unreachable,
]

export const hostilePart: Part<HostileRow> = {
  name: 'hostile',
  alone: true,
  trials: (plan) =>
    hostileTargets.map((target) => ({
      name: `target ${target.id}`,
      run: () => hostileRow(target, plan),
    })),
  restsOnTime: () => true,
  summary: (rows) => [`Hostile and broken targets: ${countOf(rows, isClean)} handled`],
  sections: (rows) => [
    sectionOf(
      'Hostile and broken targets',
      'The command as users run it, in a process of its own. Handled: nothing passes or fails that should not, the outcome says in a line what happened, the report is whole, no secret is in it, and time and memory (300 MiB) are kept.',
      rows,
      {
        Target: ({ id }) => codeOf(id),
        'What it does': ({ sentence }) => sentence,
        Handled: cleanCell,
        'Exit code': ({ exitCode }) => String(exitCode ?? 'none'),
        Time: timeCell,
        Memory: ({ peakMiB }) => (peakMiB === undefined ? '' : `${peakMiB} MiB`),
      },
    ),
  ],
}

type HostileRow = Awaited<ReturnType<typeof hostileRow>>

async function hostileRow(target: HostileTarget, { seed, signal }: TrialPlan) {
  const { id, sentence, expect } = target
  const run = await runAgainst(target, { seed, runs: fewRuns, signal })
  const { exitCode, durationMs, peakBytes } = run
  // Absent if it could not be measured.
  const peakMiB = peakBytes === undefined ? undefined : Math.round(peakBytes / 1024 / 1024)
  const problems = problemsOf(expect, run)
  return { id, sentence, exitCode, peakMiB, problems, durationMs }
}
