/** The suite files in the order of the contract; Vitest runs these, a plan reads them. */
export const suiteFiles = [
  'protocol',
  'protocol-advice',
  'add-workspace',
  'limits',
  'update-task-run',
  'reassign-items',
  'reassign-authorization',
  'errors',
  'sync-workspace',
  'sync-timing',
  'update-participant',
  'delete-collaboration',
  'update-federation',
  'authentication',
  'lifecycle',
] as const
