/** What the peers send: each operation by its right actor, with fixtures of its own. */
import type { ConfigurationFile } from '../../reference/configuration.ts'
import type { Operation } from '../../specs/operation.ts'
import { type OperationId, operations } from '../../specs/operations.ts'

/** One valid request. */
export interface Case {
  readonly operation: OperationId
  /** Which of the equal cases of its operation it is, from 1. */
  readonly copy: number
  /** Below the base URL, with the ids of fixtures filled in. */
  readonly path: string
  /** What is filled in, by name. */
  readonly ids: Readonly<Record<string, string>>
  readonly token: string
  /** The form, arrays as arrays. */
  readonly form: Readonly<Record<string, string | number | readonly string[]>>
}

/** As many valid requests of each operation; none of them takes from another what it needs. */
export async function casesFor(configuration: ConfigurationFile, copies: number): Promise<Case[]> {
  const cases: Case[] = []
  for (let copy = 1; copy <= copies; copy += 1) cases.push(...(await oneOfEach(configuration, copy)))
  return cases
}

async function oneOfEach(configuration: ConfigurationFile, copy: number): Promise<Case[]> {
  const { actors, portals, contract } = configuration
  const fixture = (kind: string, options: object = {}) => fixtureOf(configuration, kind, options)
  const portalID = portals.host.id
  const { collaborationId: collaborationID } = await fixture('collaboration')
  const { collaborationId: doomed } = await fixture('collaboration')
  const inCollaboration = { collaborationId: collaborationID, minimumSyncMs: 0 }
  const { workspaceId: workspaceID } = await fixture('workspace', inCollaboration)
  const { groupId } = await fixture('group')
  const { userName, taskId: taskID, runId: runID } = await fixture('taskRun')
  const { owner, itemIds } = await fixture('items', { owner: 'itemOwner', count: 2 })
  const { username } = await fixture('eligibleUser')
  const { federationId: federationID } = await fixture('federation')

  const entry = (operation: OperationId, actor: keyof typeof actors, ids: Ids, form: Case['form']): Case => ({
    operation,
    copy,
    ids: ids as Case['ids'],
    path: filledIn(operation, ids),
    token: actors[actor].credential,
    form: { ...form, f: 'pjson' },
  })
  const cases = [
    entry(
      'add-workspace',
      'hostAdministrator',
      { portalID, collaborationID },
      {
        collaborationWorkspaceName: `Regional boundaries ${copy}`,
        collaborationWorkspaceDescription: 'Boundaries that the regions keep up to date.',
        portalGroupId: String(groupId),
      },
    ),
    entry(
      'update-task-run',
      'taskOwner',
      { userName, taskID, runID },
      {
        status: contract.run.statuses[0] as string,
        result: '{"processed": 12}',
      },
    ),
    entry(
      'reassign-items',
      'itemOwner',
      { userName: owner },
      {
        items: itemIds as string[],
        targetUsername: String(username),
        targetFoldername: 'From the survey team',
      },
    ),
    entry(
      'sync-workspace',
      'syncInitiator',
      { portalID: portals.guest.id, collaborationID, workspaceID },
      {},
    ),
    entry(
      'update-participant',
      'hostAdministrator',
      { portalID, collaborationID, participantPortalID: portals.guest.id },
      {
        contactFirstname: 'Aroha',
        contactLastname: 'Müller-Lindqvist',
        contactEmailAddress: 'aroha+portal@example.org',
      },
    ),
    entry('delete-collaboration', 'hostAdministrator', { portalID, collaborationID: doomed }, {}),
    entry(
      'update-federation',
      'organizationAdministrator',
      { portalID, federationID },
      {
        name: 'University federation',
        discoveryServiceUrl: 'https://discovery.example.org/ds',
        metadataServiceUrl: 'https://metadata.example.org/aggregate.xml',
        certificate: 'MIIBszCCAVmgAwIBAgIUQ0VSVElGSUNBVEUrL3Rlc3QwCgYIKoZIzj0EAwIw',
        entityId: 'https://portal.example.org/entity',
        userCreditAssignment: 200,
        groups: [String(groupId)],
        signUpMode: 'Automatic',
        roleId: 'member',
        userLicenseType: 'standard',
        userType: 'platformonly',
      },
    ),
  ]
  // Its path names nothing but the owner, and a document has each path once.
  return copy === 1 ? cases : cases.filter(({ operation }) => operation !== 'reassign-items')
}

type Ids = Readonly<Record<string, unknown>>

function filledIn(operation: OperationId, ids: Ids): string {
  const { path } = operations.find(({ id }) => id === operation) as Operation
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
}

/** How the form is written: ids of items joined by commas, other arrays as JSON. */
export function fieldsOf({ form }: Case): Record<string, string> {
  const written = Object.entries(form).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, String(value)]
    return [name, name === 'items' ? value.join(',') : JSON.stringify(value)]
  })
  return Object.fromEntries(written)
}

async function fixtureOf(
  { fixtures }: ConfigurationFile,
  kind: string,
  options: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${fixtures.url}/${kind}`, { method: 'POST', body: JSON.stringify(options) })
  if (!answer.ok) throw new Error(`the portal gave no ${kind}: HTTP ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}
