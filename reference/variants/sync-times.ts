/** Other lengths and other ids of syncs, and syncs that do not keep each other away. */
import { around, changeAccepted, delayAnswers, replacingIn, startBeside } from '../alterations.ts'
import { workspaceIn } from '../handlers.ts'
import type { Alter } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { timerSlackMs } from '../syncing.ts'
import { variantsOf } from './variant.ts'

/** Short enough that it is over before the most that a fixture promises. */
const coolDownMs = 60
const longerByMs = 2300
const slowByMs = 4000
const lateByMs = 50

/** What is judged by how long a sync takes. */
const timed = ['sync-workspace/{starts,synchronous-blocks,asynchronous-returns,after-finish,*one-at-a-time}']

/** Tells of each sync that a request starts. */
const onStart =
  (told: (workspace: Workspace, job: SyncJob) => void): Alter =>
  (parts) => {
    around('sync-workspace', (call, honest) => {
      const workspace = workspaceIn(call)
      const before = workspace?.sync
      const answer = honest()
      // The handler starts a sync before it first waits.
      if (workspace?.sync !== undefined && workspace.sync !== before) told(workspace, workspace.sync)
      return answer
    })(parts)
  }

export const syncTimeVariants = variantsOf({
  'second-sync-overlaps': {
    sentence: 'Syncs that are asked for may overlap; only a scheduled one keeps others away.',
    alter(parts) {
      const asked = new WeakSet<SyncJob>()
      onStart((_workspace, job) => asked.add(job))(parts)
      startBeside((running) => asked.has(running))(parts)
    },
  },
  'second-sync-after-cool-down': {
    sentence: `For ${coolDownMs} ms after a sync another one of its workspace is refused.`,
    alter(parts) {
      const coolUntil = new WeakMap<Workspace, number>()
      onStart((workspace) => {
        coolUntil.set(workspace, performance.now() + workspace.syncMs + timerSlackMs + coolDownMs)
      })(parts)
      const honest = parts.syncGate
      parts.syncGate = (call, workspace) => {
        const cools = performance.now() < (coolUntil.get(workspace) ?? 0)
        return honest(call, workspace) ?? (cools ? parts.refuse('sync-running') : undefined)
      }
    },
  },
  'job-id-of-workspace': {
    sentence: 'All syncs of a workspace have one jobId.',
    alter: changeAccepted('sync-workspace', ({ params }) => ({ jobId: `job-of-${params.workspaceID}` })),
  },
  'long-syncs': {
    sentence: `Each sync takes ${longerByMs} ms longer than the least that its fixture promises.`,
    takesLong: true,
    alter: replacingIn('timings', { syncsLongerByMs: longerByMs }),
  },
  'answers-slow-by-seconds': {
    sentence: `Each answer is ${slowByMs} ms late.`,
    takesLong: true,
    judged: timed,
    may: {
      inconclusive: { requirements: timed, because: /slow|tim(e|ing)|took|late|sync/i },
      'not-tested': { requirements: timed, because: /slow|tim(e|ing)|took|late|sync/i },
    },
    alter: delayAnswers(() => slowByMs),
  },
  'answers-late': {
    sentence: `Each answer is ${lateByMs} ms late.`,
    takesLong: true,
    alter: delayAnswers(() => lateByMs),
  },
})
