/** A started portal for tests, with functions that send requests as an actor and create fixtures by kind. */
import { type EmbeddedPortal, type PortalOptions, startPortal } from './portal.ts'
import type { ActorName } from './users.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty if the answer is no JSON object. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
  readonly accepted: boolean
}

/** An actor, any other credential, or null for an anonymous request. */
export type Caller = ActorName | { credential: string } | null

export type Fields = Readonly<Record<string, string>>

/** Starts a portal, and returns functions that send requests to the portal. The caller closes the portal. */
export async function drive(options: PortalOptions = {}) {
  const portal = await startPortal(options)
  return { portal, ...driver(portal) }
}

function driver({ configuration }: EmbeddedPortal) {
  const { host, guest } = configuration.portals

  /** Sends a body unchanged to the portal in the path, with the credential in the configured place. */
  const send = async (caller: Caller, path: string, body: string, headers: Record<string, string> = {}) => {
    const { in: place, name, prefix = '' } = configuration.authentication
    const all = new Headers({ 'content-type': 'application/x-www-form-urlencoded', ...headers })
    let [query, text] = ['', body]
    if (caller !== null) {
      const { credential } = typeof caller === 'string' ? configuration.actors[caller] : caller
      if (place === 'form') text += `&${name}=${credential}`
      if (place === 'query') query = `${path.includes('?') ? '&' : '?'}${name}=${credential}`
      if (place === 'header') all.set(name, prefix + credential)
      if (place === 'cookie') all.set('cookie', `${name}=${prefix}${credential}`)
    }
    const apart = path.startsWith(`/portals/${guest.id}/`) ? guest.baseUrl : undefined
    const url = (apart ?? configuration.target.baseUrl) + path + query
    return reply(await fetch(url, { method: 'POST', headers: all, body: text }))
  }

  /** Sends a form, with f=pjson unless the form sets f. */
  const post = (caller: Caller, path: string, form: Fields = {}, headers: Record<string, string> = {}) =>
    send(caller, path, new URLSearchParams({ f: 'pjson', ...form }).toString(), headers)

  const fixture = async (kind: string, options: object = {}) => {
    const url = `${configuration.fixtures.url}/${kind}`
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(options) })
    return { status: answer.status, ...((await answer.json()) as object) } as {
      status: number
      [field: string]: unknown
    }
  }

  const collaborationPath = (id: unknown, portalId = host.id) => `/portals/${portalId}/collaborations/${id}`

  /** A collaboration and a valid request for a workspace in it. */
  const workspaceRequest = async (options: { collaborationId?: unknown } = {}) => {
    const collaborationId = options.collaborationId ?? (await fixture('collaboration')).collaborationId
    const { groupId } = await fixture('group')
    const form = {
      collaborationWorkspaceName: 'Roads',
      collaborationWorkspaceDescription: 'All roads',
      portalGroupId: String(groupId),
    }
    const path = `${collaborationPath(collaborationId)}/addWorkspace`
    const guestPath = `${collaborationPath(collaborationId, guest.id)}/addWorkspace`
    return { collaborationId, path, guestPath, form }
  }

  return { send, post, fixture, collaborationPath, workspaceRequest }
}

async function reply(answer: Response): Promise<Reply> {
  const text = await answer.text()
  let json: Record<string, unknown> = {}
  try {
    json = JSON.parse(text)
  } catch {
    // Not JSON: the test sees it in the text.
  }
  const accepted = answer.ok && json.success === true && json.error === undefined
  return { status: answer.status, headers: answer.headers, text, json, accepted }
}
