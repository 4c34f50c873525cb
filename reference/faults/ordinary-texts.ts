/** Everyday texts that the portal refuses or changes: each rule in each text parameter. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { refuseText, replacing } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { faultsOf, requirementsOf } from './fault.ts'

interface Place {
  readonly operation: OperationId
  readonly parameter: string
  readonly reason: Reason
  readonly requirement: RequirementId
}

const places: Readonly<Record<string, Place>> = {
  results: {
    ...{ operation: 'update-task-run', parameter: 'result', reason: 'bad-value' },
    requirement: 'update-task-run/result-text',
  },
  folders: {
    ...{ operation: 'reassign-items', parameter: 'targetFoldername', reason: 'bad-value' },
    requirement: 'reassign-items/folder-created',
  },
  'workspace-names': {
    ...{ operation: 'add-workspace', parameter: 'collaborationWorkspaceName', reason: 'bad-value' },
    requirement: 'add-workspace/name-limit-accepts',
  },
  descriptions: {
    ...{ operation: 'add-workspace', parameter: 'collaborationWorkspaceDescription', reason: 'bad-value' },
    requirement: 'add-workspace/description-limit-accepts',
  },
  'first-names': {
    ...{ operation: 'update-participant', parameter: 'contactFirstname', reason: 'bad-value' },
    requirement: 'update-participant/contact-text',
  },
  'last-names': {
    ...{ operation: 'update-participant', parameter: 'contactLastname', reason: 'bad-value' },
    requirement: 'update-participant/contact-text',
  },
  'federation-names': {
    ...{ operation: 'update-federation', parameter: 'name', reason: 'bad-setting' },
    requirement: 'update-federation/updates',
  },
}

const apostrophe = /\p{L}'\p{L}/u

const refused = Object.fromEntries(
  [
    ...Object.keys(places).map((where) => ['with-apostrophes', where, apostrophe] as const),
    ['that-begin-with-a-brace', 'results', /^\{/] as const,
    ['that-begin-with-a-bracket', 'results', /^\[/] as const,
    ['that-begin-with-a-quote', 'results', /^"/] as const,
    ['that-begin-with-a-digit', 'results', /^\d+[^\d]/] as const,
    ['that-are-json-objects', 'results', /^\{.*\}$/s] as const,
  ].map(([rule, where, isOdd]) => {
    const { operation, parameter, reason, requirement } = places[where] as Place
    return [
      `${where}-${rule}-refused`,
      {
        sentence: `${parameter} is refused: texts ${rule.replaceAll('-', ' ')}.`,
        breaks: [requirement],
        // Any valid request of a check may contain such a text.
        mayBreak: requirementsOf(operation, 'protocol'),
        alter: refuseText(reason, [parameter], (text) => isOdd.test(text)),
      },
    ]
  }),
)

const changes: Readonly<Record<string, (text: string) => string>> = {
  doubled: (text) => text.replaceAll("'", "''"),
  escaped: (text) => text.replaceAll("'", '&#39;'),
  curled: (text) => text.replaceAll("'", '’'),
  lost: (text) => text.replaceAll("'", ''),
  'behind-a-backslash': (text) => text.replaceAll("'", "\\'"),
}

const changed = Object.fromEntries(
  Object.entries(changes).flatMap(([how, change]) =>
    (how === 'doubled' ? (['name', 'description'] as const) : (['name'] as const)).map((field) => [
      `apostrophes-${how}-in-${field}s`,
      {
        sentence: `An apostrophe in the ${field} of a workspace comes back ${how.replaceAll('-', ' ')}.`,
        breaks: [`add-workspace/${field}-kept`] as const,
        mayBreak: requirementsOf('add-workspace', 'protocol'),
        alter: replacing({ keep: (text, kept) => (kept === field ? change(text) : text) }),
      },
    ]),
  ),
)

export const ordinaryTextFaults = faultsOf({ ...refused, ...changed })
