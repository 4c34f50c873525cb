/** The operations under the short names by which the tables of faults refer to them. */
export const add = 'add-workspace'
export const run = 'update-task-run'
export const reassign = 'reassign-items'
export const sync = 'sync-workspace'
export const update = 'update-participant'
export const remove = 'delete-collaboration'
export const federation = 'update-federation'
