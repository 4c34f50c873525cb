/** A small suite of its own, by hand: each probe tells whether one requirement shows itself broken. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import type { Caller, Driver, Fields, Reply } from '../portal.fixture.ts'

/** True: it holds; false: it is broken; undefined: cannot be told, because a valid request was not accepted. */
type Holds = boolean | undefined

export interface Probe {
  readonly requirement: RequirementId
  readonly holds: (to: Driver) => Promise<Holds>
}

interface ValidRequest {
  readonly caller: Caller
  readonly path: string
  readonly form: Fields
}

/** A valid request of each operation, on fixtures of its own. */
export const valid: Record<OperationId, (to: Driver) => Promise<ValidRequest>> = {
  async 'add-workspace'(to) {
    const { path, form } = await to.workspaceRequest()
    return { caller: 'hostAdministrator', path, form }
  },
  async 'update-task-run'(to) {
    const { userName, taskId, runId } = await to.fixture('taskRun')
    const path = `/community/users/${userName}/tasks/${taskId}/runs/${runId}/update`
    return { caller: 'taskOwner', path, form: { status: 'executing', result: 'Half done' } }
  },
  async 'reassign-items'(to) {
    const { owner, itemIds } = await to.fixture('items', { owner: 'itemOwner', count: 2 })
    const { username } = await to.fixture('eligibleUser')
    const path = `/content/users/${owner}/reassignItems`
    return {
      caller: 'contentAdministrator',
      path,
      form: { items: String(itemIds), targetUsername: String(username) },
    }
  },
  async 'sync-workspace'(to) {
    const { guest } = to.portal.configuration.portals
    const { collaborationId, workspaceId } = await to.fixture('workspace', { minimumSyncMs: 0 })
    const path = `${to.collaborationPath(collaborationId, guest.id)}/workspaces/${workspaceId}/sync`
    return { caller: 'syncInitiator', path, form: syncMode(to, 'asynchronous') }
  },
  async 'update-participant'(to) {
    const { collaborationId, participantPortalId } = await to.fixture('participant')
    const path = `${to.collaborationPath(collaborationId)}/participants/${participantPortalId}/updateInfo`
    const form = { contactFirstname: 'Ada', contactLastname: 'Byron', contactEmailAddress: 'ada@example.org' }
    return { caller: 'hostAdministrator', path, form }
  },
  async 'delete-collaboration'(to) {
    const { collaborationId } = await to.fixture('collaboration')
    return { caller: 'hostAdministrator', path: `${to.collaborationPath(collaborationId)}/delete`, form: {} }
  },
  async 'update-federation'(to) {
    const { federationId } = await to.fixture('federation')
    const path = `/portals/${to.portal.configuration.portals.host.id}/idp/federation/${federationId}/update`
    const form = {
      name: 'Universities',
      discoveryServiceUrl: 'https://example.org/discover',
      metadataServiceUrl: 'https://example.org/metadata',
      certificate: 'MIIBszCCAVmgAwIB',
      entityId: 'example',
      userCreditAssignment: '5',
      groups: '["g1"]',
      signUpMode: 'Automatic',
      roleId: 'org_user',
      userLicenseType: 'creatorUT',
      userType: 'platformonly',
    }
    return { caller: 'organizationAdministrator', path, form }
  },
}

export function syncMode(to: Driver, mode: 'synchronous' | 'asynchronous'): Record<string, string> {
  const { parameter, [mode]: value } = to.portal.configuration.contract.sync
  return { [parameter]: value }
}

export const send = (to: Driver, { caller, path, form }: ValidRequest): Promise<Reply> =>
  to.post(caller, path, form)

/** A probe of what an accepted answer holds; an answer that is not accepted breaks it. */
export function answers(
  requirement: RequirementId,
  operation: OperationId,
  fits: (json: Reply['json'], request: ValidRequest) => boolean,
): Probe {
  return {
    requirement,
    async holds(to) {
      const request = await valid[operation](to)
      const answer = await send(to, request)
      return answer.accepted && fits(answer.json, request)
    },
  }
}

/** A probe of a valid request with a change that must be accepted all the same. */
export function accepts(requirement: RequirementId, operation: OperationId, change: Fields): Probe {
  return {
    requirement,
    async holds(to) {
      const request = await valid[operation](to)
      return (await send(to, { ...request, form: { ...request.form, ...change } })).accepted
    },
  }
}

/** A probe of a valid request with one change that must be refused, after the valid one has been accepted. */
export function refuses(
  requirement: RequirementId,
  operation: OperationId,
  change: (request: ValidRequest, to: Driver) => ValidRequest | ValidRequest[],
): Probe {
  return {
    requirement,
    async holds(to) {
      if (!(await send(to, await valid[operation](to))).accepted) return undefined
      const changed = [change(await valid[operation](to), to)].flat()
      const replies = await Promise.all(changed.map((each) => send(to, each)))
      return replies.every(({ accepted }) => !accepted)
    },
  }
}

/** Callers who must be refused, on the path of the host and on that of the guest. */
export function refusesCallers(
  requirement: RequirementId,
  operation: OperationId,
  ...callers: Caller[]
): Probe {
  return refuses(requirement, operation, (request, to) => {
    const { host, guest } = to.portal.configuration.portals
    const paths = new Set([request.path, ...[host, guest].map(({ id }) => underPortal(request.path, id))])
    return [...paths].flatMap((path) => callers.map((caller) => ({ ...request, path, caller })))
  })
}

function underPortal(path: string, id: string): string {
  return path.replace(/^\/portals\/[^/]+/, `/portals/${id}`)
}

/** Replaces a segment of the path by one that names nothing. */
export function unknownIn(segment: string) {
  return (request: ValidRequest): ValidRequest => ({
    ...request,
    path: request.path.replace(new RegExp(`/${segment}/[^/]+`), `/${segment}/none`),
  })
}

export function without(name: string) {
  return (request: ValidRequest): ValidRequest => {
    const { [name]: _left, ...form } = request.form
    return { ...request, form }
  }
}

export const madeUp = { credential: 'nobody-was-given-this' }
