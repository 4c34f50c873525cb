/** Results with an example of everything that reports show. */
import type { Evidence } from '../deployment/http/exchange.ts'
import type { CheckResult } from '../runner/check-result.ts'
import {
  checkOf,
  exchangesOf,
  failedCheck,
  observationOf,
  openCheck,
  resultsOf,
  waivedCheck,
  warnedCheck,
} from './results.fixture.ts'
import type { Results } from './results.ts'

export const shortened = 'the text of 101 characters was shortened to 100 instead of refused'

const place = 'https://staging.example.com/sharing/rest/portals/0Hb7/collaborations/23b54b57ca906d0b'

/** A request of an actor and its answer. */
function exchangeOf(path: string, body: string, answer: string, others: Partial<Evidence> = {}): Evidence {
  const url = `${place}${path}`
  return {
    class: 'accepted',
    operation: path.endsWith('/sync') ? 'sync-workspace' : 'add-workspace',
    request: { method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: answer,
      durationMs: 12.4,
    },
    curl: `curl -sS -i -g -X POST '${url}' --data-raw '${body}' --data-urlencode 'token='"$PORTAL_CREDENTIAL"`,
    actor: 'hostAdministrator',
    ...others,
  }
}

function nameLimit(): CheckResult {
  const name = 'x'.repeat(101)
  const answer = JSON.stringify({
    success: true,
    workspace: {
      id: 'acbbbe12',
      name: 'x'.repeat(100),
      config: { maxItemSizeInMB: 100 },
      lastSyncSuccess: -1,
    },
  })
  const check = failedCheck('add-workspace/name-limit-rejects', shortened)
  const probe = { collaborationWorkspaceName: name, f: 'pjson' }
  return {
    ...check,
    failure: {
      ...check.failure!,
      expected: ['any complete answer that is not HTTP 2xx with success: true', 'HTTP 4xx'],
      counterexample: JSON.stringify({ control: { ...probe, collaborationWorkspaceName: 'x' }, probe }),
      marks: { request: ['collaborationWorkspaceName'], response: ['workspace.name'] },
    },
    evidence: [
      exchangeOf('/addWorkspace', 'collaborationWorkspaceName=x&f=pjson', '{"success":true}'),
      exchangeOf('/addWorkspace', `collaborationWorkspaceName=${name}&f=pjson&token=***`, answer),
    ],
  }
}

function blockedSync(): CheckResult {
  const check = failedCheck(
    'sync-workspace/one-at-a-time',
    'a second sync was accepted while the first was running',
  )
  const at = (atMs: number, durationMs: number, actor: string): Evidence => {
    const exchange = exchangeOf('/workspaces/7f3a/sync', 'f=pjson', '{"success":true}', { actor, atMs })
    return { ...exchange, syncUntilMs: 1600, response: { ...exchange.response!, durationMs } }
  }
  const { response: _, ...unanswered } = at(700, 0, 'syncNonInitiator')
  const nothing = { class: 'no-verdict', error: 'no answer within 10 s' } as const
  return {
    ...check,
    evidence: [at(120, 1480, 'syncInitiator'), { ...unanswered, ...nothing }, at(420, 35, 'syncInitiator')],
  }
}

const operationsOfForm = [
  'add-workspace',
  'sync-workspace',
  'update-participant',
  'delete-collaboration',
  'reassign-items',
] as const

/** Counts of requests: some answers were slow. */
const exchanges = exchangesOf({
  operation: 'add-workspace',
  times: [40, 9, 1],
  slowest: [{ durationMs: 2500, atMs: 900, check: 'add-workspace/creates' }],
  slices: [[40, 9, 1]],
})

/** A filtered, incomplete run with every outcome, an observation, roles and an error. */
export function everything(): Results {
  const results = resultsOf(
    [
      ...operationsOfForm.map((id) => failedCheck(`protocol/form-post:${id}`, 'the form was not read')),
      warnedCheck('protocol/post-only:add-workspace', 'GET was accepted'),
      checkOf('add-workspace/creates'),
      nameLimit(),
      { ...failedCheck('add-workspace/refuses-guest', 'a guest was accepted'), evidence: [] },
      openCheck('sync-workspace/starts', 'not-tested', 'no actor syncInitiator: add actors.syncInitiator'),
      blockedSync(),
      checkOf('sync-workspace/synchronous-blocks', { evidence: blockedSync().evidence! }),
      checkOf('sync-workspace/unknown-workspace', {
        outcome: 'inconclusive',
        reason: 'the control was refused',
        evidence: [exchangeOf('/workspaces/none/sync', '', '{"error":{"code":500}}', { class: 'refused' })],
      }),
      openCheck('update-task-run/updates', 'not-applicable', 'since release 10.8.1'),
      waivedCheck('delete-collaboration/gone-after-delete', 'the collaboration still takes workspaces'),
      checkOf('reassign-items/reassigns', { reason: 'fixtures were spent after 12 of 25 cases' }),
    ],
    {
      observations: [observationOf('kept')],
      roles: [
        { operation: 'add-workspace', actor: 'hostAdministrator', observed: 'allowed' },
        { operation: 'add-workspace', actor: 'guestAdministrator', observed: 'allowed', wrong: true },
        { operation: 'sync-workspace', actor: 'syncInitiator', observed: 'allowed' },
        { operation: 'sync-workspace', actor: 'anonymous', observed: 'refused' },
      ],
      errors: ['The fixture provider could not clean up.'],
      exchanges,
    },
  )
  const { complete: _, run, ...others } = results
  return {
    ...others,
    run: {
      ...run,
      selection: { operations: ['add-workspace'], requirements: ['sync-workspace/*'] },
    },
  }
}
