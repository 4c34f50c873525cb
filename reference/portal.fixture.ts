/** A started portal for tests, with functions that send requests as an actor and create fixtures by kind. */
import { type EmbeddedPortal, type PortalOptions, startPortal } from './portal.ts'
import type { ActorName } from './users.ts'

/** An actor, any other credential, or null for an anonymous request. */
type Caller = ActorName | { credential: string } | null

/** Starts a portal, and returns functions that send requests to the portal. The caller closes the portal. */
export async function drive(options: PortalOptions = {}) {
  const portal = await startPortal(options)
  return { portal, ...driver(portal) }
}

function driver({ configuration }: EmbeddedPortal) {
  const { actors, fixtures, portals, target } = configuration

  /** Sends a form, with f=pjson unless the form sets f. */
  const post = async (
    caller: Caller,
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Record<string, string> = {},
  ) => {
    const body = new URLSearchParams({ f: 'pjson', ...form })
    if (caller !== null)
      body.append('token', typeof caller === 'string' ? actors[caller].credential : caller.credential)
    return reply(await fetch(target.baseUrl + path, { method: 'POST', headers, body }))
  }

  const fixture = async (kind: string, options: object = {}, headers: Record<string, string> = {}) => {
    const body = JSON.stringify(options)
    const answer = await fetch(`${fixtures.url}/${kind}`, { method: 'POST', headers, body })
    return { status: answer.status, ...((await answer.json()) as object) } as {
      status: number
      [field: string]: unknown
    }
  }

  const collaborationPath = (id: unknown, portalId = portals.host.id) =>
    `/portals/${portalId}/collaborations/${id}`

  /** A collaboration and a valid request for a workspace in it. */
  const workspaceRequest = async (given: { collaborationId?: unknown } = {}) => {
    const collaborationId = given.collaborationId ?? (await fixture('collaboration')).collaborationId
    const { groupId } = await fixture('group')
    const form = {
      collaborationWorkspaceName: 'Roads',
      collaborationWorkspaceDescription: 'All roads',
      portalGroupId: String(groupId),
    }
    return { collaborationId, path: `${collaborationPath(collaborationId)}/addWorkspace`, form }
  }

  return { post, fixture, collaborationPath, workspaceRequest }
}

async function reply(answer: Response) {
  const { status, headers } = answer
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const json: any = headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
  const accepted = answer.ok && json.success === true && json.error === undefined
  return { status, headers, text, json, accepted }
}
