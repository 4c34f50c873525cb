/** What the contract does not show. Never judged: settled by the configuration or a profile, or only observed. */
import type { Subject } from './requirements.ts'

export interface OpenPoint {
  readonly id: string
  readonly operation: Subject
  readonly question: string
  /** The key of the configuration that settles it. */
  readonly settledBy?: string
}

/** Points by their ids: the question, and the key of the configuration that settles it where one does. */
const pointsOf = <const Id extends string>(
  operation: Subject,
  points: Readonly<Record<Id, readonly [question: string, settledBy?: string]>>,
) =>
  Object.entries<(typeof points)[Id]>(points).map(([id, [question, settledBy]]) => ({
    id: id as Id,
    operation,
    question,
    ...(settledBy === undefined ? {} : { settledBy }),
  }))

const catalogue = [
  ...pointsOf('protocol', {
    identity: ['How does a request prove its identity?', 'authentication'],
    'format-values': ['Which values does f take, and what is its default?'],
    'required-parameters': ['Which parameters are required beyond those marked so?'],
    'refusal-status': ['Which HTTP status carries a refusal?'],
    'refusal-body': ['What do refusals hold, apart from the reassign error?'],
    'content-types': ['Which content types do answers carry?'],
    'rate-limits': ['Are requests throttled, and how?'],
    'version-selection': ['How is a version of the API selected?'],
    'get-on-operation': ['What does GET on an operation do?'],
  }),
  ...pointsOf('add-workspace', {
    'astral-counting': ['What is a character at the limit: code point, UTF-16 unit, grapheme or byte?'],
    'text-normalisation': ['Is text trimmed or normalised?'],
    markup: ['Are markup and texts that look like attacks filtered?'],
    'empty-text': ['What do empty or missing names and descriptions mean?'],
    'equal-names': ['May workspaces have equal names, in one collaboration or in the portal?'],
    'workspace-quota': ['Is there a limit on workspaces in one collaboration?'],
    'new-workspaces': ['Can a workspace be synced as soon as it is added?', 'contract.newWorkspacesSync'],
    'negative-last-sync': ['What does a negative lastSyncSuccess mean?'],
    'host-administrator-elsewhere': ["What may a host administrator do under another portal's id?"],
  }),
  ...pointsOf('update-task-run', {
    'run-statuses': ['Which statuses does a run take?', 'contract.run.statuses'],
    'run-transitions': ['Which transitions of a run are allowed, and what happens to it in each status?'],
    'run-capability': ['Who may update a run?'],
  }),
  ...pointsOf('reassign-items', {
    'default-folder': ['What is the name of the default folder?'],
    eligibility: ['What makes a target user eligible?'],
    'partial-reassignment': ['When some items cannot be received, do the others move?'],
    'duplicate-items': ['What do duplicate ids in items mean?'],
    'spaces-in-items': ['Are spaces around the commas of items allowed?'],
  }),
  ...pointsOf('sync-workspace', {
    'sync-mode': ['What is the mode parameter called, what are its values and its default?', 'contract.sync'],
    'second-sync': ['What does a second sync get: refused, held, or answered with the running job?'],
    'own-syncs': ['May syncs of one workspace that somebody asked for overlap?'],
    'sync-job': ['What are jobId and key used for, and does jobId change from sync to sync?'],
    'sync-isolation': ['Does a running sync hold up other workspaces?'],
  }),
  ...pointsOf('delete-collaboration', {
    'idempotent-deletion': ['Is deletion idempotent?'],
    'guest-refresh': ['How long until a guest loses a deleted collaboration?', 'run.guestRefresh'],
  }),
  ...pointsOf('update-federation', {
    'certificate-markers': [
      'Which markers enclose the certificate?',
      'contract.federation.certificateMarkers',
    ],
    'certificate-text': [
      'May the Base64 text of a certificate have line breaks, and which keys may it be for?',
    ],
    'default-credits': ['Which value selects the default credit limit?'],
    'groups-notation': ['How is the array of groups written?', 'contract.federation.groupsNotation'],
    'conditional-parameters': ['What are the five conditional parameters?', 'contract.federation.parameters'],
    'sign-up-modes': ['Which value of signUpMode means invitation?', 'contract.federation.signUpModes'],
    'user-types': ['Which other values does userType take?', 'contract.federation.userTypes'],
    'roles-and-licences': [
      'Which values do roleId and userLicenseType take?',
      'contract.federation.roleId, .userLicenseType',
    ],
  }),
  ...pointsOf('protocol', {
    addresses: ['Are addresses in a request looked up or fetched?', 'contract.domain'],
  }),
  ...pointsOf('lifecycle', {
    events: ['Which events do the operations emit?'],
  }),
]

/** The id of an open point. */
export type OpenPointId = (typeof catalogue)[number]['id']

export const openPoints: readonly (OpenPoint & { readonly id: OpenPointId })[] = catalogue
