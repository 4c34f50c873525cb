/** Probes of several requests: ids, deletions, syncs. */
import type { RequirementId } from '../../specs/requirements.ts'
import type { Caller, Driver } from '../portal.fixture.ts'
import {
  answers,
  madeUp,
  type Probe,
  refuses,
  refusesCallers,
  send,
  syncMode,
  unknownIn,
  valid,
} from './probe.fixture.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const addTo = async (to: Driver, collaborationId: unknown) => {
  const { path, form } = await to.workspaceRequest({ collaborationId })
  return to.post('hostAdministrator', path, form)
}

export const workspaceSequences: readonly Probe[] = [
  {
    requirement: 'add-workspace/collaboration-id',
    async holds(to) {
      const { collaborationId } = await to.fixture('collaboration')
      for (let each = 0; each < 8; each++) {
        const { path, form } = await to.workspaceRequest({ collaborationId })
        const named = { ...form, collaborationWorkspaceName: `Roads ${each}` }
        const answer = await to.post('hostAdministrator', path, named)
        if (!answer.accepted) return undefined
        if (answer.json.workspace.collaborationId !== collaborationId) return false
      }
      return true
    },
  },
  {
    requirement: 'add-workspace/id-is-new',
    async holds(to) {
      const { collaborationId } = await to.fixture('collaboration')
      const first = await addTo(to, collaborationId)
      await pause(20)
      const second = await addTo(to, collaborationId)
      // Whether equal names may exist is open.
      if (!first.accepted || !second.accepted) return undefined
      return first.json.workspace.id !== second.json.workspace.id
    },
  },
  {
    requirement: 'add-workspace/concurrent-ids-distinct',
    async holds(to) {
      const requests = await Promise.all(Array.from({ length: 8 }, () => valid['add-workspace'](to)))
      const answers = await Promise.all(
        requests.map((request, each) =>
          send(to, { ...request, form: { ...request.form, collaborationWorkspaceName: `Roads ${each}` } }),
        ),
      )
      if (!answers.every(({ accepted }) => accepted)) return undefined
      return new Set(answers.map(({ json }) => json.workspace.id)).size === answers.length
    },
  },
]

const remove = 'delete-collaboration'

const livesAfterRefusal = (requirement: RequirementId, caller: Caller): Probe => ({
  requirement,
  async holds(to) {
    const { collaborationId } = await to.fixture('collaboration')
    const refused = await to.post(caller, `${to.collaborationPath(collaborationId)}/delete`)
    if (refused.accepted) return undefined
    return (await addTo(to, collaborationId)).accepted
  },
})

export const deletionProbes: readonly Probe[] = [
  answers('delete-collaboration/deletes', remove, () => true),
  refusesCallers('delete-collaboration/refuses-guest', remove, 'guestAdministrator'),
  refusesCallers('delete-collaboration/refuses-non-administrator', remove, 'hostMember'),
  refusesCallers('delete-collaboration/refuses-anonymous', remove, null),
  refusesCallers('delete-collaboration/refuses-invalid-credential', remove, madeUp),
  livesAfterRefusal('delete-collaboration/refuses-invalid-credential', madeUp),
  ...(['guestAdministrator', 'hostMember', null] as const).map((caller) =>
    livesAfterRefusal('delete-collaboration/refused-delete-has-no-effect', caller),
  ),
  {
    requirement: 'delete-collaboration/gone-after-delete',
    async holds(to) {
      const { collaborationId, participantPortalId } = await to.fixture('participant')
      const path = to.collaborationPath(collaborationId)
      if (!(await to.post('hostAdministrator', `${path}/delete`)).accepted) return undefined
      await pause(130)
      const update = `${path}/participants/${participantPortalId}/updateInfo`
      const { form } = await valid['update-participant'](to)
      if ((await to.post('hostAdministrator', update, form)).accepted) return false
      return !(await addTo(to, collaborationId)).accepted
    },
  },
  {
    requirement: 'delete-collaboration/sharing-stops',
    async holds(to) {
      const { caller, path, form } = await valid['sync-workspace'](to)
      const collaborationId = path.split('/')[4]
      const deleted = await to.post('hostAdministrator', `${to.collaborationPath(collaborationId)}/delete`)
      if (!deleted.accepted) return undefined
      await pause(230)
      return !(await to.post(caller, path, form)).accepted
    },
  },
  {
    requirement: 'delete-collaboration/others-unaffected',
    async holds(to) {
      const before = await to.fixture('collaboration')
      const { caller, path, form } = await valid[remove](to)
      const after = await to.fixture('collaboration')
      if (!(await to.post(caller, path, form)).accepted) return undefined
      const others = [before, after].map(({ collaborationId }) => addTo(to, collaborationId))
      return (await Promise.all(others)).every(({ accepted }) => accepted)
    },
  },
]

const sync = 'sync-workspace'

const leastMs = 100

const slowWorkspace = async (to: Driver) => {
  const { collaborationId, workspaceId } = await to.fixture('workspace', { minimumSyncMs: leastMs })
  const path = `${to.collaborationPath(collaborationId)}/workspaces/${workspaceId}/sync`
  return (mode: 'synchronous' | 'asynchronous') => to.post('syncInitiator', path, syncMode(to, mode))
}

export const syncProbes: readonly Probe[] = [
  answers(
    'sync-workspace/starts',
    sync,
    ({ jobId, key }) => typeof jobId === 'string' && typeof key === 'string',
  ),
  refusesCallers('sync-workspace/refuses-non-designated', sync, 'syncNonInitiator'),
  refusesCallers('sync-workspace/refuses-anonymous', sync, null),
  refusesCallers('sync-workspace/refuses-invalid-credential', sync, madeUp),
  refuses('sync-workspace/unknown-workspace', sync, unknownIn('workspaces')),
  {
    requirement: 'sync-workspace/unknown-workspace',
    async holds(to) {
      const [request, { collaborationId }] = [await valid[sync](to), await to.fixture('collaboration')]
      const path = request.path.replace(/collaborations\/[^/]+/, `collaborations/${collaborationId}`)
      return !(await send(to, { ...request, path })).accepted
    },
  },
  refuses('sync-workspace/unknown-collaboration', sync, unknownIn('collaborations')),
  {
    requirement: 'sync-workspace/synchronous-blocks',
    async holds(to) {
      const request = await slowWorkspace(to)
      const started = performance.now()
      const { accepted } = await request('synchronous')
      return accepted ? performance.now() - started >= leastMs : undefined
    },
  },
  {
    requirement: 'sync-workspace/asynchronous-returns',
    async holds(to) {
      const { collaborationId, workspaceId } = await to.fixture('workspace', { minimumSyncMs: 1000 })
      const path = `${to.collaborationPath(collaborationId)}/workspaces/${workspaceId}/sync`
      const { accepted } = await to.post('syncInitiator', path, syncMode(to, 'asynchronous'))
      // Not by the clock: whether the sync still runs when the answer is there.
      const { workspaces } = to.portal.store.collaborations.get(String(collaborationId)) ?? {}
      return accepted ? workspaces?.get(String(workspaceId))?.sync !== undefined : undefined
    },
  },
  {
    requirement: 'sync-workspace/one-at-a-time',
    async holds(to) {
      const request = await slowWorkspace(to)
      const started = performance.now()
      const first = await request('asynchronous')
      const answeredAt = performance.now()
      const second = await request('synchronous')
      if (!first.accepted) return undefined
      if (!second.accepted || second.json.jobId === first.json.jobId) return true
      // Either the first was over when its answer came, or the second has to wait for two.
      return answeredAt - started >= leastMs || performance.now() - started >= 2 * leastMs
    },
  },
  {
    requirement: 'sync-workspace/after-finish',
    async holds(to) {
      const request = await slowWorkspace(to)
      if (!(await request('synchronous')).accepted) return undefined
      await pause(2 * leastMs)
      return (await request('asynchronous')).accepted
    },
  },
]
