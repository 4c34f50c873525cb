/** Values that the target must refuse, beside a valid request that it accepts: a row for each rule. */
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { operationJudgedBy, type RequirementId } from '../../specs/requirements.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

interface RefusedValues {
  readonly id: RequirementId
  /** The values, each in a request of its own. A quick run tries the first three. */
  readonly values: (context: CheckContext) => readonly RequestFields[] | Promise<readonly RequestFields[]>
  /** Changes the valid request that follows: whether an update must change something is open. */
  readonly afterwards: (request: RequestFields) => RequestFields
}

const rows: readonly RefusedValues[] = [
  {
    id: 'add-workspace/unknown-group',
    values: async ({ given }) => {
      const { groupId } = await given.group()
      const nobodys = given.ids.nobodysLike(groupId)
      const resembling = given.ids.partlyResembling(groupId).toReversed()
      return [
        ...[...resembling, nobodys].map((portalGroupId) => ({ portalGroupId })),
        {
          portalGroupId: given.ids.nobodysLike(nobodys),
          collaborationWorkspaceDescription: 'A road. '.repeat(31).trim(),
        },
      ]
    },
    afterwards: ({ portalGroupId: _, ...request }) => request,
  },
  {
    id: 'update-participant/bad-email',
    values: () =>
      ['no address', 'no-one@', '@example.com', 'two@@example.com'].map((contactEmailAddress) => ({
        contactEmailAddress,
      })),
    afterwards: (request) => ({ ...request, contactFirstname: 'Zoë' }),
  },
  {
    id: 'update-federation/bad-input',
    values: () => [
      { discoveryServiceUrl: 'no URL' },
      { userCreditAssignment: '12abc' },
      { certificate: '*** no Base64 ***' },
      { metadataServiceUrl: 'no URL' },
      { userCreditAssignment: 'many' },
    ],
    afterwards: (request) => ({ ...request, name: `${request.name} 2` }),
  },
]

for (const row of rows) {
  const { id } = row
  suite(checks, targetNeeds(operationJudgedBy(id)))(id, {}, (context) => refusesAll(row, context))
}

async function refusesAll({ id, values, afterwards }: RefusedValues, context: CheckContext): Promise<void> {
  const { given, control, expect, configuration } = context
  const { send, controlled } = context.target(operationJudgedBy(id))
  const all = await values(context)
  const bad = isQuick(configuration.run) ? all.slice(0, 3) : all
  const { request, answer: before } = await controlled()
  for (const value of bad)
    expect(await send({ ...given.named(request), ...value }), before).toBeRefused(
      `a value was accepted that must be refused: ${JSON.stringify(value)}`,
      ...Object.keys(value),
    )
  control(await send(afterwards(given.named(request))), 'a valid request after bad ones')
}
