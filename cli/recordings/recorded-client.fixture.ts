/** Traffic of the JavaScript client with all seven operations, recorded as HAR 1.2 like browsers and proxies do. */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
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

export type HarEntry = ReturnType<typeof entryOf>

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
    const body = await buffer(incoming)
    const started = new Date()
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value) => ({ name, value })),
    )
    const kept = headers.filter(
      ({ name }) => !['host', 'connection', 'content-length', 'expect'].includes(name),
    )
    const answer = await fetch(origin + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: kept.map(({ name, value }) => [name, value] as [string, string]),
      ...(body.length === 0 ? {} : { body }),
    })
    const text = await answer.text()
    har.log.entries.push(
      entryOf(incoming, { url: proxy.origin + incoming.url, headers, body }, { started, answer, text }),
    )
    outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    outgoing.end(text)
  })
  return { ...proxy, har }
}

function entryOf(
  incoming: IncomingMessage,
  { url, headers, body }: { url: string; headers: { name: string; value: string }[]; body: Buffer },
  { started, answer, text }: { started: Date; answer: Response; text: string | undefined },
) {
  const took = Date.now() - started.getTime()
  const version = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  const mimeType = answer.headers.get('content-type') ?? ''
  const postData =
    body.length === 0
      ? undefined
      : { mimeType: incoming.headers['content-type'] ?? '', text: body.toString('utf8') }
  return {
    startedDateTime: started.toISOString(),
    time: took,
    request: {
      ...version,
      method: incoming.method ?? 'GET',
      url,
      headers,
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: body.length,
      postData,
    },
    response: {
      ...version,
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers].map(([name, value]) => ({ name, value })),
      redirectURL: '',
      bodySize: -1,
      content: { size: -1, mimeType, text },
    },
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
  }
}
