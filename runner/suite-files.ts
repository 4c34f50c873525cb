/** The suite files in the order of the contract; a run loads them, a plan reads them. */
const loaders = {
  'common/protocol': () => import('../suites/common/protocol.suite.ts'),
  'common/protocol-advice': () => import('../suites/common/protocol-advice.suite.ts'),
  'add-workspace/add-workspace': () => import('../suites/add-workspace/add-workspace.suite.ts'),
  'add-workspace/workspace-texts': () => import('../suites/add-workspace/workspace-texts.suite.ts'),
  'common/limits': () => import('../suites/common/limits.suite.ts'),
  'update-task-run/update-task-run': () => import('../suites/update-task-run/update-task-run.suite.ts'),
  'reassign-items/reassign-items': () => import('../suites/reassign-items/reassign-items.suite.ts'),
  'reassign-items/reassign-ownership': () => import('../suites/reassign-items/reassign-ownership.suite.ts'),
  'reassign-items/reassign-parameters': () => import('../suites/reassign-items/reassign-parameters.suite.ts'),
  'reassign-items/reassign-authorization': () =>
    import('../suites/reassign-items/reassign-authorization.suite.ts'),
  'reassign-items/reassign-error': () => import('../suites/reassign-items/reassign-error.suite.ts'),
  'sync-workspace/sync-workspace': () => import('../suites/sync-workspace/sync-workspace.suite.ts'),
  'sync-workspace/sync-timing': () => import('../suites/sync-workspace/sync-timing.suite.ts'),
  'sync-workspace/sync-overlap': () => import('../suites/sync-workspace/sync-overlap.suite.ts'),
  'sync-workspace/sync-again': () => import('../suites/sync-workspace/sync-again.suite.ts'),
  'update-participant/update-participant': () =>
    import('../suites/update-participant/update-participant.suite.ts'),
  'delete-collaboration/delete-collaboration': () =>
    import('../suites/delete-collaboration/delete-collaboration.suite.ts'),
  'delete-collaboration/refused-delete': () =>
    import('../suites/delete-collaboration/refused-delete.suite.ts'),
  'delete-collaboration/delete-consequences': () =>
    import('../suites/delete-collaboration/delete-consequences.suite.ts'),
  'update-federation/update-federation': () =>
    import('../suites/update-federation/update-federation.suite.ts'),
  'common/authentication': () => import('../suites/common/authentication.suite.ts'),
  'common/resembling-credentials': () => import('../suites/common/resembling-credentials.suite.ts'),
  'common/read-back': () => import('../suites/common/read-back.suite.ts'),
  'common/read-back-refusals': () => import('../suites/common/read-back-refusals.suite.ts'),
  'lifecycle/lifecycle': () => import('../suites/lifecycle/lifecycle.suite.ts'),
  'common/profile': () => import('../suites/common/profile.suite.ts'),
} as const

export type SuiteFile = keyof typeof loaders

/** Below `suites/`, without their endings. */
export const suiteFiles = Object.keys(loaders) as readonly SuiteFile[]

/** Has the checks of that file declared. */
export const loadSuiteFile = (file: SuiteFile): Promise<unknown> => loaders[file]()
