/** §8 Limits: accepted up to the limit, not accepted beyond it. Every limit that a request schema states is judged. */
import fc from 'fast-check'
import { type OperationId, operationIds } from '../specs/operations.ts'
import { beyondTextLimit, withinTextLimit } from './cases/boundaries.ts'
import { type Limit, limitsOf, requestSchema } from './cases/schema.ts'
import { assertViolates } from './cases/violations.ts'
import { suite } from './check.ts'
import type { CheckId } from './check-result.ts'
import { fieldsOf } from './context/calls.ts'
import { operationTarget, targetNeeds } from './operation-targets.ts'

/** Clauses that the contract has for a limit; any further limit of a schema is judged under its operation's main clause. */
const clauses: Readonly<Record<string, string>> = {
  'add-workspace.collaborationWorkspaceName': 'add-workspace/name-limit',
  'add-workspace.collaborationWorkspaceDescription': 'add-workspace/description-limit',
}

const mainClauses: Readonly<Record<OperationId, string>> = {
  'add-workspace': 'add-workspace/creates',
  'update-task-run': 'update-task-run/updates',
  'reassign-items': 'reassign-items/reassigns',
  'sync-workspace': 'sync-workspace/starts',
  'update-participant': 'update-participant/updates',
  'delete-collaboration': 'delete-collaboration/deletes',
  'update-federation': 'update-federation/updates',
}

/** The check that proves one side of a limit. */
export function limitCheck(operation: OperationId, { field }: Limit, side: 'accepts' | 'rejects'): CheckId {
  const clause = clauses[`${operation}.${field}`]
  return (
    clause === undefined ? `${mainClauses[operation]}:${field}-limit-${side}` : `${clause}-${side}`
  ) as CheckId
}

for (const operation of operationIds) {
  const schema = requestSchema(operation)
  for (const limit of limitsOf(schema)) if (limit.keyword === 'maxLength') judgeTextLimit(operation, limit)
}

function judgeTextLimit(operation: OperationId, limit: Limit): void {
  const schema = requestSchema(operation)
  const check = suite(targetNeeds(operation))
  const { field, most } = limit

  check(
    limitCheck(operation, limit, 'accepts'),
    { title: `${field} of 1 to ${most} characters is accepted` },
    async (context) => {
      const { given, forAll, expect } = context
      const call = operationTarget(context, operation)
      const requests = withinTextLimit(
        given.requests(operation, { text: 'ordinary', fixed: call.fixed }),
        limit,
      )
      await forAll(
        requests,
        async (request) => {
          const text = request[field] as string
          expect(await call.send(request)).toBeAccepted(
            `${field} of ${[...text].length} characters: ${JSON.stringify(text)}`,
          )
        },
        { least: 12 },
      )
    },
  )

  check(
    limitCheck(operation, limit, 'rejects'),
    { title: `${field} of more than ${most} characters is not accepted` },
    async (context) => {
      const { given, forAll, expect, control, configuration } = context
      const call = operationTarget(context, operation)
      const valid = given.requests(operation, { text: 'ordinary', fixed: call.fixed })
      const cases = fc.oneof({ arbitrary: beyondTextLimit(valid, limit), weight: 1 })
      await forAll(
        cases,
        async ({ control: within, probe, size }) => {
          assertViolates(schema, fieldsOf(configuration, operation, probe), { field, keyword: 'maxLength' })
          const before = await call.send(within)
          control(before, `the control, a request with ${field} of ${most} characters,`)
          expect(await call.send(probe), before).toBeRefused(
            (body) =>
              shortened(body, probe[field] as string) ?? `${field} of ${size} characters was accepted`,
          )
        },
        { least: 24 },
      )
    },
  )
}

/** Where an accepted text came back shorter than it was sent. */
function shortened(body: object, sent: string): string | undefined {
  for (const value of Object.values(body)) {
    if (typeof value === 'string' && value !== '' && value.length < sent.length && sent.startsWith(value)) {
      return `the text of ${[...sent].length} characters was not refused but quietly shortened to ${[...value].length}`
    }
    if (typeof value === 'object' && value !== null) {
      const deeper = shortened(value, sent)
      if (deeper !== undefined) return deeper
    }
  }
  return undefined
}
