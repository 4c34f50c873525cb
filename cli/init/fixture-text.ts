/** The part of a configuration about fixtures: what the suite may act upon. */
import type { Choices, FixtureChoice } from './choices.ts'
import { inYaml } from './yaml-text.ts'

const about = [
  '# What the suite may act upon: from a provider (url, module or command), or listed here (static).',
  '# Left out: hardly anything can be tested.',
]

export function fixtureLines(choices: Choices): string[] {
  const { fixtures } = choices
  if (fixtures === undefined) return [...about, '# fixtures: { url: http://127.0.0.1:8090 }']
  if ('collaborations' in fixtures) return [...about, 'fixtures:', '  static:', ...listed(fixtures, choices)]
  return [...about, `fixtures: ${sourceText(fixtures)}`]
}

function sourceText(fixtures: Exclude<FixtureChoice, { collaborations: unknown }>): string {
  if ('url' in fixtures) return `{ url: ${inYaml(fixtures.url)} }`
  if ('module' in fixtures) return `{ module: ${JSON.stringify(fixtures.module)} }`
  return `{ command: ${JSON.stringify(fixtures.command)} }`
}

function listed(
  { collaborations, groups }: Extract<FixtureChoice, { collaborations: unknown }>,
  { guestId }: Choices,
): string[] {
  return [
    '    # Hosted by the host. A run adds workspaces, and they stay. Where delete-collaboration is allowed below, a run',
    '    # deletes each collaboration that it takes from this list, also where it only added to it.',
    ...pool(
      'collaboration',
      collaborations.map((id) => `{ collaborationId: ${inYaml(id)} }`),
      '{ collaborationId: … }',
    ),
    '    # Groups of the host that workspaces may be linked to. Without one, no workspace can be added.',
    ...pool(
      'group',
      groups.map((id) => `{ groupId: ${inYaml(id)} }`),
      '{ groupId: … }',
    ),
    '    # Participants whose contact person a run changes (update-participant).',
    ...pool(
      'participant',
      guestId === undefined
        ? []
        : collaborations.map(
            (id) => `{ collaborationId: ${inYaml(id)}, participantPortalId: ${inYaml(guestId)} }`,
          ),
      '{ collaborationId: …, participantPortalId: … }',
    ),
    ...others.map((line) => `    # ${line}`),
  ]
}

function pool(kind: string, entries: readonly string[], example: string): string[] {
  if (entries.length === 0) return [`    ${kind}: []`, `    #   - ${example}`]
  return [`    ${kind}:`, ...entries.map((entry) => `      - ${entry}`)]
}

const others = [
  'Further kinds, each a list:',
  'workspace:      [{ collaborationId: …, workspaceId: …, minimumSyncMs: 0 }]',
  'items:          [{ owner: user name, itemIds: [ … ] }]',
  'eligibleUser:   [{ username: … }]      who may receive items',
  'ineligibleUser: [{ username: … }]      who may not',
  'taskRun:        [{ userName: …, taskId: …, runId: … }]',
  'guestHosted:    [{ collaborationId: … }]   of the guest itself; nothing is done to it',
  'participantElsewhere: [{ collaborationId: …, participantPortalId: …, elsewhereId: …, elsewherePortalId: … }]',
  'partlyReceivable: [{ owner: …, username: …, receivable: [ … ], notReceivable: [ … ] }]',
  'federation:     [{ federationId: … }]',
]
