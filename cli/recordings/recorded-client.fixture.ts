/** Traffic of the JavaScript client with all seven operations, recorded as HAR 1.2 like browsers and proxies do. */
import { text } from 'node:stream/consumers'
import { ApiKeyManager, ArcGISIdentityManager, request } from '@esri/arcgis-rest-request'
import { drive } from '../../reference/portal.fixture.ts'
import { type Listening, serve } from '../../selftest/hostile/servers.ts'

export interface RecordedClient {
  readonly har: Har
  /** Texts that no report may show. */
  readonly secrets: readonly string[]
  /** Base URL of the portal as the client saw it. */
  readonly baseUrl: string
}

/** Signs in, uses every operation and is refused twice; the portal is closed when this resolves. */
export async function recordClient(): Promise<RecordedClient> {
  const to = await drive()
  const { actors, portals } = to.portal.configuration
  const portal = new URL(to.portal.baseUrl)
  const proxy = await startRecordingProxy(portal.origin)
  const baseUrl = proxy.origin + portal.pathname
  try {
    const user = to.portal.store.users.get(actors.hostAdministrator.username)
    const password = user?.password as string
    const username = user?.username as string
    const manager = await ArcGISIdentityManager.signIn({ username, password, portal: baseUrl })
    const send = (
      path: string,
      params: object,
      authentication: ApiKeyManager | ArcGISIdentityManager = manager,
    ) => request(baseUrl + path, { authentication, params: { ...params } })
    const as = (actor: keyof typeof actors) => ApiKeyManager.fromKey(actors[actor].credential)

    const { path, form, collaborationId } = await to.workspaceRequest()
    await send(path, { ...form, collaborationWorkspaceName: 'Straßen & Wege', f: 'pjson' })
    const second = await to.workspaceRequest({ collaborationId })
    await send(second.path, { ...second.form, collaborationWorkspaceName: 'n'.repeat(100) })
    await send(second.path, { ...second.form }, as('hostMember')).catch(() => undefined)

    const { userName, taskId, runId } = await to.fixture('taskRun')
    const run = `/community/users/${userName}/tasks/${taskId}/runs/${runId}/update`
    await send(run, { status: 'executing', result: '' }, as('taskOwner'))

    const { owner, itemIds } = await to.fixture('items', { owner: 'itemOwner', count: 3 })
    const items = `/content/users/${owner}/reassignItems`
    const ineligible = await to.fixture('ineligibleUser')
    await send(items, { items: itemIds, targetUsername: ineligible.username }).catch(() => undefined)
    const eligible = await to.fixture('eligibleUser')
    await send(items, { items: itemIds, targetUsername: eligible.username })

    const sync = await to.fixture('workspace')
    const syncPath = `${to.collaborationPath(sync.collaborationId, portals.guest.id)}/workspaces/${sync.workspaceId}/sync`
    await send(syncPath, { async: true }, as('syncInitiator'))

    const { participantPortalId } = await to.fixture('participant', { collaborationId })
    const contact = {
      contactFirstname: 'Zoë',
      contactLastname: "O'Brien",
      contactEmailAddress: 'zoe+portal@example.org',
    }
    await send(
      `${to.collaborationPath(collaborationId)}/participants/${participantPortalId}/updateInfo`,
      contact,
    )

    const { federationId } = await to.fixture('federation')
    const { groupId } = await to.fixture('group')
    const federation = {
      name: 'Federation',
      discoveryServiceUrl: 'https://discovery.example.org/ds',
      signUpMode: 'Automatic',
      userType: 'platformonly',
      userCreditAssignment: 200,
      groups: JSON.stringify([groupId]),
    }
    await send(`/portals/${portals.host.id}/idp/federation/${federationId}/update`, federation)
    await send(`${to.collaborationPath(collaborationId)}/delete`, {})
    const secrets = [password, manager.token, ...Object.values(actors).map(({ credential }) => credential)]
    return { har: proxy.har, secrets, baseUrl }
  } finally {
    await proxy.close()
    await to.portal.close()
  }
}

type Headers = readonly { readonly name: string; readonly value: string }[]

interface Body {
  readonly mimeType: string
  text: string
}

/** Tests edit exchanges. */
export interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: { method: string; readonly url: string; headers: Headers; postData: Body }
  readonly response: { readonly status: number; headers: Headers; content: Body }
}

export interface Har {
  log: { version: string; creator: { name: string; version: string }; entries: HarEntry[] }
}

/** Listens in place of the portal. */
interface RecordingProxy extends Listening {
  readonly har: Har
}

/** Starts a proxy in front of the server at the origin. The caller closes the proxy. */
async function startRecordingProxy(origin: string): Promise<RecordingProxy> {
  const har: Har = {
    log: { version: '1.2', creator: { name: 'recording proxy', version: '1' }, entries: [] },
  }
  const proxy = await serve(async (incoming, outgoing) => {
    const { method = 'POST', url, headersDistinct } = incoming
    const body = await text(incoming)
    const started = new Date()
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value) => ({ name, value })),
    )
    const kept = headers.filter(
      ({ name }) => !['host', 'connection', 'content-length', 'expect'].includes(name),
    )
    const answer = await fetch(origin + url, {
      method,
      headers: kept.map(({ name, value }) => [name, value] as [string, string]),
      ...(body === '' ? {} : { body }),
    })
    const [status, mimeType] = [answer.status, answer.headers.get('content-type') ?? 'text/plain']
    const content = { mimeType, text: await answer.text() }
    const postData = { mimeType: incoming.headers['content-type'] ?? '', text: body }
    har.log.entries.push({
      startedDateTime: started.toISOString(),
      time: Date.now() - started.getTime(),
      request: { method, url: proxy.origin + url, headers, postData },
      response: { status, headers: [...answer.headers].map(([name, value]) => ({ name, value })), content },
    })
    outgoing.writeHead(status, { 'content-type': mimeType }).end(content.text)
  })
  return { ...proxy, har }
}
