/** What the contract does not show. Never judged: settled by the configuration or a profile, or only observed. */
import type { Subject } from './requirements.ts'

export interface OpenPoint {
  readonly id: string
  readonly operation: Subject
  readonly question: string
  /** The key of the configuration that settles it. */
  readonly settledBy?: string
}

const point = <const Id extends string>(
  id: Id,
  operation: Subject,
  question: string,
  settledBy?: string,
) => ({
  id,
  operation,
  question,
  ...(settledBy === undefined ? {} : { settledBy }),
})

const catalogue = [
  point('identity', 'protocol', 'How does a request prove its identity?', 'authentication'),
  point('format-values', 'protocol', 'Which values does f take, and what is its default?'),
  point('required-parameters', 'protocol', 'Which parameters are required beyond those marked so?'),
  point('refusal-status', 'protocol', 'Which HTTP status carries a refusal?'),
  point('refusal-body', 'protocol', 'What do refusals hold, apart from the reassign error?'),
  point('content-types', 'protocol', 'Which content types do answers carry?'),
  point('rate-limits', 'protocol', 'Are requests throttled, and how?'),
  point('version-selection', 'protocol', 'How is a version of the API selected?'),
  point('get-on-operation', 'protocol', 'What does GET on an operation do?'),
  point(
    'astral-counting',
    'add-workspace',
    'What is a character at the limit: code point, UTF-16 unit, grapheme or byte?',
  ),
  point('text-normalisation', 'add-workspace', 'Is text trimmed or normalised?'),
  point('markup', 'add-workspace', 'Are markup and texts that look like attacks filtered?'),
  point('empty-text', 'add-workspace', 'What do empty or missing names and descriptions mean?'),
  point(
    'equal-names',
    'add-workspace',
    'May workspaces have equal names, in one collaboration or in the portal?',
  ),
  point('workspace-quota', 'add-workspace', 'Is there a limit on workspaces in one collaboration?'),
  point(
    'new-workspaces',
    'add-workspace',
    'Can a workspace be synced as soon as it is added?',
    'contract.newWorkspacesSync',
  ),
  point('negative-last-sync', 'add-workspace', 'What does a negative lastSyncSuccess mean?'),
  point(
    'host-administrator-elsewhere',
    'add-workspace',
    "What may a host administrator do under another portal's id?",
  ),
  point('run-statuses', 'update-task-run', 'Which statuses does a run take?', 'contract.run.statuses'),
  point(
    'run-transitions',
    'update-task-run',
    'Which transitions of a run are allowed, and what becomes of it in each status?',
  ),
  point('run-capability', 'update-task-run', 'Who may update a run?'),
  point('default-folder', 'reassign-items', 'What is the name of the default folder?'),
  point('eligibility', 'reassign-items', 'What makes a target user eligible?'),
  point('partial-reassignment', 'reassign-items', 'When some items cannot be received, do the others move?'),
  point('duplicate-items', 'reassign-items', 'What do duplicate ids in items mean?'),
  point('spaces-in-items', 'reassign-items', 'Are spaces around the commas of items allowed?'),
  point(
    'sync-mode',
    'sync-workspace',
    'What is the mode parameter called, what are its values and its default?',
    'contract.sync',
  ),
  point(
    'second-sync',
    'sync-workspace',
    'What does a second sync get: refused, held, or answered with the running job?',
  ),
  point('own-syncs', 'sync-workspace', 'May syncs of one workspace that somebody asked for overlap?'),
  point(
    'sync-job',
    'sync-workspace',
    'What are jobId and key used for, and does jobId change from sync to sync?',
  ),
  point('sync-isolation', 'sync-workspace', 'Does a running sync hold up other workspaces?'),
  point('idempotent-deletion', 'delete-collaboration', 'Is deletion idempotent?'),
  point(
    'guest-refresh',
    'delete-collaboration',
    'How long until a guest loses a deleted collaboration?',
    'run.guestRefresh',
  ),
  point(
    'certificate-markers',
    'update-federation',
    'Which markers enclose the certificate?',
    'contract.federation.certificateMarkers',
  ),
  point(
    'certificate-text',
    'update-federation',
    'May the Base64 text of a certificate have line breaks, and which keys may it be for?',
  ),
  point('default-credits', 'update-federation', 'Which value selects the default credit limit?'),
  point(
    'groups-notation',
    'update-federation',
    'How is the array of groups written?',
    'contract.federation.groupsNotation',
  ),
  point(
    'conditional-parameters',
    'update-federation',
    'What are the five conditional parameters?',
    'contract.federation.parameters',
  ),
  point(
    'sign-up-modes',
    'update-federation',
    'Which value of signUpMode means invitation?',
    'contract.federation.signUpModes',
  ),
  point(
    'user-types',
    'update-federation',
    'Which other values does userType take?',
    'contract.federation.userTypes',
  ),
  point(
    'roles-and-licences',
    'update-federation',
    'Which values do roleId and userLicenseType take?',
    'contract.federation.roleId, .userLicenseType',
  ),
  point('addresses', 'protocol', 'Are addresses in a request looked up or fetched?', 'contract.domain'),
  point('events', 'lifecycle', 'Which events do the operations emit?'),
] as const

/** The id of an open point. */
export type OpenPointId = (typeof catalogue)[number]['id']

export const openPoints: readonly (OpenPoint & { readonly id: OpenPointId })[] = catalogue
