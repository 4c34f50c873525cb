/** Hostile and broken targets: the command must handle each of them. */
import { halfBroken } from '../hostile/broken-answers.ts'
import { notAPortal } from '../hostile/not-a-portal.ts'
import { fewRuns, type Part } from '../trial.ts'

export const hostileTargets = [...notAPortal, ...halfBroken]

export const hostilePart: Part = {
  name: 'hostile',
  title: 'Hostile and broken targets',
  clean: 'handled',
  lead: 'The command as users run it. Nothing passes or fails that should not, the outcome says in a line what happened, the report is whole, no secret is in it, the run ends, and it takes at most 300 MiB of memory.',
  trials: ({ seed }) =>
    hostileTargets.map(({ id, sentence }) => ({
      name: `target ${id}`,
      sentence,
      alteration: { hostile: id, seed, runs: fewRuns },
      problemsIn: ({ wrongs }) => wrongs,
    })),
}
