/** Answers that break the contract in ways that the profile arcgis knows: findings that quote the profile. */
import { expect, test } from 'vitest'
import { around, changeAccepted, changeAdded, changeBytes } from '../reference/alterations.ts'
import type { Alter, Answer } from '../reference/parts.ts'
import { resultsOn } from './judged-portal.fixture.ts'

async function failuresOf(alter: Alter, requirement: string, profile: string) {
  const results = await resultsOn(
    { alter },
    {
      requirements: [requirement],
      sections: ({ configuration: { target } }) => ({ target: { ...target, profile } }),
    },
  )
  return results.flatMap(({ failure }) => failure ?? [])
}

/** One result per item, as a public script reads them from a hosted deployment. */
const resultsEach = around('reassign-items', async (call, honest) => {
  const { refused, status } = await honest()
  const results = (call.form.get('items') ?? '').split(',').map((itemId) => ({ itemId, success: true }))
  const answer: Answer = { status, body: { results } }
  return refused === undefined ? answer : honest()
})

/** Requires a parameter by the name that a table of the documentation uses. */
const otherNames: Alter = around('update-participant', ({ form, parts }, honest) =>
  form.get('contactFirstName') === undefined
    ? parts.refuse('missing-parameter', ['contactFirstName is required.'])
    : honest(),
)

const shapes: readonly (readonly [id: string, alter: Alter, known: RegExp])[] = [
  [
    'add-workspace/config-fields',
    changeAdded((_, { config }) => ({
      config: { ...(config as object), bidirectionalSyncCapable: undefined },
    })),
    /; known: releases before 10\.9 do not send bidirectionalSyncCapable \(/,
  ],
  [
    'add-workspace/creates',
    changeAccepted('add-workspace', ({ params }, { workspace }) => ({
      workspace: undefined,
      collaborationWorkspaceId: (workspace as { id: string }).id,
      collaborationId: params.collaborationID,
    })),
    /; known: one property table names a flat collaborationWorkspaceId/,
  ],
  ['update-participant/updates', otherNames, /; known: the parameter table writes contactFirstName/],
  [
    'reassign-items/reassigns',
    resultsEach,
    /^answered with results\[\] in place of success and itemId: HTTP 200/,
  ],
  [
    'protocol/json-format:update-federation',
    changeBytes('update-federation', (body) => Buffer.from(body.toString().replace(/\s*\}$/, ',\n}'))),
    /; known: some answers of identity-provider updates end with ",}"/,
  ],
]

test.each(shapes)('%s: the finding quotes what the profile knows', async (id, alter, known) => {
  const failures = await failuresOf(alter, id, 'arcgis')
  expect(failures).not.toEqual([])
  for (const { actual } of failures) expect(actual).toMatch(known)
})

test('without a profile, the finding quotes nothing', async () => {
  const failures = await failuresOf(resultsEach, 'reassign-items/reassigns', 'none')
  expect(failures.map(({ message, actual }) => `${message}: ${actual}`)).toContain(
    'a valid request was not accepted: not accepted: HTTP 200 without a field success',
  )
})
