/** Probes of one request each: shapes, limits and roles. */
import { operationIds } from '../../specs/operations.ts'
import {
  accepts,
  answers,
  madeUp,
  type Probe,
  refuses,
  refusesCallers,
  send,
  unknownIn,
  valid,
  without,
} from './probe.fixture.ts'

const add = 'add-workspace'
const name = 'collaborationWorkspaceName'
const description = 'collaborationWorkspaceDescription'

/** Text that a careless portal changes. */
const tricky = 'a b+c &= %41%2B é 字 💡 ;#"'

const kept = (
  requirement: 'add-workspace/name-kept' | 'add-workspace/description-kept',
  field: string,
): Probe => ({
  requirement,
  async holds(to) {
    const request = await valid[add](to)
    const answer = await send(to, { ...request, form: { ...request.form, [field]: tricky } })
    return (
      answer.accepted &&
      answer.json.workspace[requirement.includes('name') ? 'name' : 'description'] === tricky
    )
  },
})

const limits = (
  [
    [name, 'name', 100],
    [description, 'description', 250],
  ] as const
).flatMap(([field, short, limit]): Probe[] => [
  ...['x', 'é'].map((letter) =>
    accepts(`add-workspace/${short}-limit-accepts`, add, { [field]: letter.repeat(limit) }),
  ),
  refuses(`add-workspace/${short}-limit-rejects`, add, (request) =>
    [1, 5, 50, 3000].map((more) => ({
      ...request,
      form: { ...request.form, [field]: 'y'.repeat(limit + more) },
    })),
  ),
])

export const workspaceProbes: readonly Probe[] = [
  answers('add-workspace/creates', add, ({ workspace }) => typeof workspace === 'object'),
  answers(
    'add-workspace/workspace-fields',
    add,
    ({ workspace: { id, name, description, collaborationId, config, created, modified, lastSyncSuccess } }) =>
      [id, name, description, collaborationId].every((text) => typeof text === 'string') &&
      [created, modified, lastSyncSuccess].every(Number.isInteger) &&
      typeof config === 'object',
  ),
  answers(
    'add-workspace/config-fields',
    add,
    ({ workspace: { config } }) =>
      [config.maxItemSizeInMB, config.maxReplicationPackageSizeInMB].every(Number.isInteger) &&
      typeof config.bidirectionalSyncCapable === 'boolean',
  ),
  answers(
    'add-workspace/timestamps',
    add,
    ({ workspace: { created, modified } }) =>
      Math.abs(Date.now() - created) < 86_400_000 &&
      modified >= created &&
      modified < Date.now() + 86_400_000,
  ),
  kept('add-workspace/name-kept', name),
  kept('add-workspace/description-kept', description),
  ...limits,
  refusesCallers('add-workspace/refuses-guest', add, 'guestAdministrator'),
  refusesCallers('add-workspace/refuses-non-administrator', add, 'hostMember'),
  refusesCallers('add-workspace/refuses-anonymous', add, null),
  refusesCallers('add-workspace/refuses-invalid-credential', add, madeUp),
  refuses('add-workspace/unknown-collaboration', add, unknownIn('collaborations')),
]

const run = 'update-task-run'

export const runProbes: readonly Probe[] = [
  answers(
    'update-task-run/updates',
    run,
    ({ taskId, runId }) => typeof taskId === 'string' && typeof runId === 'string',
  ),
  answers('update-task-run/identifiers', run, ({ taskId, runId }, { path }) =>
    path.includes(`/${taskId}/runs/${runId}/`),
  ),
  refuses('update-task-run/status-required', run, without('status')),
  {
    requirement: 'update-task-run/result-optional',
    holds: async (to) => (await send(to, without('result')(await valid[run](to)))).accepted,
  },
  accepts('update-task-run/result-empty', run, { result: '' }),
  accepts('update-task-run/result-text', run, { result: tricky }),
  ...['scheduled', 'succeeded', 'skipped', 'failed', 'submitfailed'].map((status) =>
    accepts('update-task-run/statuses', run, { status }),
  ),
  refuses('update-task-run/statuses', run, (request) => ({
    ...request,
    form: { ...request.form, status: 'asleep' },
  })),
  ...['users', 'tasks', 'runs'].map((segment) =>
    refuses('update-task-run/unknown-run', run, unknownIn(segment)),
  ),
]

const participant = 'update-participant'

export const participantProbes: readonly Probe[] = [
  answers('update-participant/updates', participant, () => true),
  answers('update-participant/identifiers', participant, ({ collaborationId, portalId }, { path }) =>
    path.includes(`/${collaborationId}/participants/${portalId}/`),
  ),
  accepts('update-participant/contact-text', participant, {
    contactFirstname: '字',
    contactLastname: 'Ó Néill',
  }),
  accepts('update-participant/contact-text', participant, { contactEmailAddress: 'ada+gis@example.org' }),
  refusesCallers('update-participant/refuses-guest', participant, 'guestAdministrator'),
  refusesCallers('update-participant/refuses-non-administrator', participant, 'hostMember'),
  refusesCallers('update-participant/refuses-anonymous', participant, null),
  refusesCallers('update-participant/refuses-invalid-credential', participant, madeUp),
  refuses('update-participant/unknown-participant', participant, unknownIn('participants')),
  refuses('update-participant/unknown-collaboration', participant, unknownIn('collaborations')),
]

const federation = 'update-federation'

export const federationProbes: readonly Probe[] = [
  answers('update-federation/updates', federation, ({ federationId }) => typeof federationId === 'string'),
  answers('update-federation/identifier', federation, ({ federationId }, { path }) =>
    path.includes(`/federation/${federationId}/`),
  ),
  accepts('update-federation/groups-array', federation, { groups: '["g1","g2"]' }),
  accepts('update-federation/sign-up-mode', federation, { signUpMode: 'Automatic' }),
  accepts('update-federation/user-type', federation, { userType: 'platformonly' }),
  accepts('update-federation/certificate', federation, { certificate: 'MII+/A==' }),
  accepts('update-federation/certificate', federation, { certificate: 'MIIB\nszCC\r\nAVm/' }),
  {
    requirement: 'update-federation/idempotent',
    async holds(to) {
      const request = await valid[federation](to)
      return (await send(to, request)).accepted ? (await send(to, request)).accepted : undefined
    },
  },
  refusesCallers('update-federation/refuses-non-administrator', federation, 'hostMember'),
  refusesCallers('update-federation/refuses-anonymous', federation, null),
  refusesCallers('update-federation/refuses-invalid-credential', federation, madeUp),
  refusesCallers('update-federation/refuses-other-organization', federation, 'guestAdministrator'),
  refuses('update-federation/unknown-federation', federation, unknownIn('federation')),
]

/** The same form in other encodings. */
const encodings: readonly ((body: string) => [body: string, headers?: Record<string, string>])[] = [
  (body) => [body, { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }],
  (body) => [body.replaceAll('+', '%20')],
  (body) => [body.replace(/%../g, (escaped) => escaped.toLowerCase())],
  (body) => [body.split('&').reverse().join('&')],
]

export const protocolProbes: readonly Probe[] = operationIds.flatMap((operation): Probe[] => [
  answers('protocol/success-boolean', operation, ({ success }) => typeof success === 'boolean'),
  {
    requirement: 'protocol/encoding',
    async holds(to) {
      for (const encode of encodings) {
        if (!(await send(to, await valid[operation](to))).accepted) return undefined
        const { caller, path, form } = await valid[operation](to)
        const [body, headers] = encode(
          new URLSearchParams({ f: 'pjson', ...form, unheardOf: '/é ü' }).toString(),
        )
        if (!(await to.send(caller, path, body, headers)).accepted) return false
      }
      return true
    },
  },
])
