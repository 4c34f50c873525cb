/** Whole portals with special answers or credentials, and what a run finds on them. */
import { expect, it, test } from 'vitest'
import { all, around, changeAccepted, changeAdded, changeBytes } from '../reference/alterations.ts'
import type { Alter, Answer } from '../reference/parts.ts'
import type { EmbeddedPortal } from '../reference/portal.ts'
import { resultsOn } from './judged-portal.fixture.ts'

const expiredCheck = 'add-workspace/refuses-invalid-credential:expired'

/** The result of the check with this `expired` credential, on a portal with these faults. */
async function withExpired(expiredOf: (known: unknown) => unknown, faults: readonly string[] = []) {
  const sections = ({ configuration: { actors } }: EmbeddedPortal) => {
    const { expired: known, ...others } = actors.hostAdministrator
    const expired = expiredOf(known)
    const hostAdministrator = { ...others, ...(expired === undefined ? {} : { expired }) }
    return { actors: { ...actors, hostAdministrator } }
  }
  const options = { faults, variants: ['short-lived-tokens'] }
  const results = await resultsOn(options, { requirements: [expiredCheck], seed: 1, sections })
  return results.find(({ id }) => id === expiredCheck)
}

it.each([
  ['of the configuration', (known: unknown) => known],
  ['printed by a command', (known: unknown) => ({ command: `echo ${known}` })],
])('an expired credential %s must be refused', async (_, expiredOf) => {
  expect(await withExpired(expiredOf)).toMatchObject({ outcome: 'passed' })
  expect(await withExpired(expiredOf, ['ended-credential-let-in'])).toMatchObject({
    outcome: 'failed',
    failure: { message: 'an expired credential was accepted' },
  })
})

it('the check of expired credentials does not apply without one, and is not tested if its command fails', async () => {
  expect(await withExpired(() => undefined)).toMatchObject({
    outcome: 'not-applicable',
    reason: 'no expired credential of hostAdministrator: add actors.hostAdministrator.expired',
  })
  expect(await withExpired(() => ({ command: 'false' }))).toMatchObject({
    outcome: 'not-tested',
    add: ['actors.hostAdministrator.expired'],
  })
})

it('the configuration refuses a login as the source of an expired credential', async () => {
  await expect(withExpired(() => ({ login: { username: 'a', password: 'x' } }))).rejects.toThrow(
    'actors.hostAdministrator.expired.login: a login gives what has not ended',
  )
})

/** One result per item, as a public script reads them from a hosted deployment. */
const resultsEach = around('reassign-items', async (call, honest) => {
  const { refused, status } = await honest()
  const results = (call.form.get('items') ?? '').split(',').map((itemId) => ({ itemId, success: true }))
  const answer: Answer = { status, body: { results } }
  return refused === undefined ? answer : honest()
})

/** Requires a parameter by the name that a table of the documentation uses. */
const otherNames = around('update-participant', ({ form, parts }, honest) =>
  form.get('contactFirstName') === undefined
    ? parts.refuse('missing-parameter', ['contactFirstName is required.'])
    : honest(),
)

type Shape = readonly [id: string, alter: Alter, known: RegExp]

const shapes: readonly Shape[] = [
  [
    'add-workspace/config-fields',
    changeAdded((_, { config }) => ({
      config: { ...(config as object), bidirectionalSyncCapable: undefined },
    })),
    /; known: releases before 10\.9 do not send bidirectionalSyncCapable \(/,
  ],
  ['update-participant/updates', otherNames, /; known: the parameter table writes contactFirstName/],
  [
    'reassign-items/reassigns',
    resultsEach,
    /^answered with results\[\] in place of success and itemId: HTTP/,
  ],
  [
    'protocol/json-format:update-federation',
    changeBytes('update-federation', (body) => Buffer.from(body.toString().replace(/\s*\}$/, ',\n}'))),
    /; known: some answers of identity-provider updates end with ",}"/,
  ],
]

/** Without an object workspace there is no config, so that a portal of its own has this shape. */
const flat: Shape = [
  'add-workspace/creates',
  changeAccepted('add-workspace', ({ params }, { workspace }) => ({
    workspace: undefined,
    collaborationWorkspaceId: (workspace as { id: string }).id,
    collaborationId: params.collaborationID,
  })),
  /; known: one property table names a flat collaborationWorkspaceId/,
]

const judgedWith = (profile: string, these: readonly Shape[]) =>
  resultsOn(
    { alter: all(...these.map(([, alter]) => alter)) },
    {
      requirements: these.map(([id]) => id),
      // A short settle time, because the run waits for a sign of life where it finds no workspace.
      sections: ({ configuration: { target, run } }) => ({
        target: { ...target, profile },
        run: { ...run, settle: '50ms' },
      }),
    },
  )

test.each([
  ['of four operations', shapes],
  ['without an object workspace', [flat]],
])('findings quote what the profile arcgis knows of answers %s', async (_, these) => {
  const results = await judgedWith('arcgis', these)
  for (const [id, , known] of these) {
    const found = results.flatMap((each) => (each.id.startsWith(id) ? (each.failure?.actual ?? []) : []))
    expect(found, id).not.toEqual([])
    for (const actual of found) expect(actual).toMatch(known)
  }
})

test('without a profile, the finding quotes nothing', async () => {
  const results = await judgedWith('none', [['reassign-items/reassigns', resultsEach, /^/]])
  const failures = results.flatMap(({ failure }) => failure ?? [])
  expect(failures.map(({ message, actual }) => `${message}: ${actual}`)).toContain(
    'a valid request was not accepted: not accepted: HTTP 200 without a field success',
  )
})

/** Performs every other request, and answers all of them with a time-out or a bad gateway in the body, under HTTP 200. */
const timesOut: Alter = (parts) => {
  let asked = 0
  for (const id of ['update-participant', 'delete-collaboration'] as const)
    around(id, async (_call, honest) => {
      asked += 1
      if (asked % 2 === 0) await honest()
      return parts.refuse(asked % 3 === 0 ? 'bad-gateway' : 'timed-out')
    })(parts)
}

test('checks are inconclusive if every request times out, since the target may have carried it out', async () => {
  const requirements = [
    'update-participant/updates',
    'update-participant/refuses-guest',
    'delete-collaboration/deletes',
    'delete-collaboration/refuses-anonymous',
  ]
  const sections = () => ({ http: { throttleWait: '300ms' } })
  const results = await resultsOn({ alter: timesOut }, { requirements, sections })
  const applicable = results.filter(({ outcome }) => outcome !== 'not-applicable')
  expect(applicable.map(({ id }) => id)).toEqual(expect.arrayContaining(requirements))
  for (const { id, outcome, reason } of applicable)
    expect([id, outcome, reason]).toEqual([id, 'inconclusive', expect.stringMatching(/50[24]/)])
})
