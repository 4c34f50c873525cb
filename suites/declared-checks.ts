/** Every check of the suite, and the files that declare them. */
import type { CheckDefinition } from '../runner/check.ts'

/** In the order in which a run begins them where fixtures are few: the plain requests first. */
const loaders = {
  'common/protocol': () => import('./common/protocol.suite.ts'),
  'common/protocol-advice': () => import('./common/protocol-advice.suite.ts'),
  'acceptances/acceptances': () => import('./acceptances/acceptances.suite.ts'),
  'add-workspace/add-workspace': () => import('./add-workspace/add-workspace.suite.ts'),
  'common/limits': () => import('./common/limits.suite.ts'),
  'update-task-run/update-task-run': () => import('./update-task-run/update-task-run.suite.ts'),
  'reassign-items/reassign-items': () => import('./reassign-items/reassign-items.suite.ts'),
  'reassign-items/reassign-ownership': () => import('./reassign-items/reassign-ownership.suite.ts'),
  'reassign-items/reassign-parameters': () => import('./reassign-items/reassign-parameters.suite.ts'),
  'reassign-items/reassign-authorization': () => import('./reassign-items/reassign-authorization.suite.ts'),
  'reassign-items/reassign-error': () => import('./reassign-items/reassign-error.suite.ts'),
  'sync-workspace/sync-workspace': () => import('./sync-workspace/sync-workspace.suite.ts'),
  'sync-workspace/sync-timing': () => import('./sync-workspace/sync-timing.suite.ts'),
  'sync-workspace/sync-overlap': () => import('./sync-workspace/sync-overlap.suite.ts'),
  'update-participant/update-participant': () => import('./update-participant/update-participant.suite.ts'),
  'delete-collaboration/delete-collaboration': () =>
    import('./delete-collaboration/delete-collaboration.suite.ts'),
  'delete-collaboration/use-after-delete': () => import('./delete-collaboration/use-after-delete.suite.ts'),
  'delete-collaboration/delete-consequences': () =>
    import('./delete-collaboration/delete-consequences.suite.ts'),
  'update-federation/update-federation': () => import('./update-federation/update-federation.suite.ts'),
  'callers/wrong-callers': () => import('./callers/wrong-callers.suite.ts'),
  'ids/ids-in-paths': () => import('./ids/ids-in-paths.suite.ts'),
  'refused-values/refused-values': () => import('./refused-values/refused-values.suite.ts'),
  'common/read-back': () => import('./common/read-back.suite.ts'),
  'common/read-back-refusals': () => import('./common/read-back-refusals.suite.ts'),
  'lifecycle/lifecycle': () => import('./lifecycle/lifecycle.suite.ts'),
  'common/profile': () => import('./common/profile.suite.ts'),
} as const

let declared: Promise<readonly CheckDefinition[]> | undefined

/** Every check of the suite, in the order of the files; loaded once. */
export function declaredChecks(): Promise<readonly CheckDefinition[]> {
  declared ??= load()
  return declared
}

async function load(): Promise<CheckDefinition[]> {
  const files = await Promise.all(
    Object.entries(loaders).map(async ([file, importFile]) => {
      const { checks } = await importFile()
      return checks.map((check) => ({ ...check, file }))
    }),
  )
  return files.flat()
}
