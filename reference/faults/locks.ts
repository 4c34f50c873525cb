/** Faults in which a refusal affects callers with the right, and races that sometimes go wrong. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import { operationOf } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { afterRefused, around } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import type { Alter, Call } from '../parts.ts'
import { type Fault, faultsOf, requirementsOf } from './fault.ts'

type Written = Omit<Fault, 'id'>

/** After such a refusal, requests with the same key are refused even to callers with the right. */
const lockedBy =
  (operation: OperationId, reasons: readonly Reason[], key: (call: Call) => string): Alter =>
  (parts) => {
    const locked = new Set<string>()
    afterRefused(operation, reasons, (call) => locked.add(key(call)))(parts)
    around(operation, (call, honest) => {
      const keeps = locked.has(key(call)) && call.user !== undefined
      return keeps ? parts.refuse('bad-value') : honest()
    })(parts)
  }

const path = ({ params: { portalID: _, ...params } }: Call): string => JSON.stringify(params)

const used: readonly OperationId[] = [
  'add-workspace',
  'update-task-run',
  'sync-workspace',
  'update-participant',
  'update-federation',
]

/**
 * Task runs are left out because who may update them is open. Syncs are left out because a refused one may be waiting
 * for another sync.
 */
const edits: readonly OperationId[] = ['add-workspace', 'update-participant', 'update-federation']

const locks: Readonly<Record<string, Written>> = Object.fromEntries(
  used.flatMap((operation) =>
    (
      [
        ['anonymous', ['token-required']],
        ['a-wrong-credential', ['invalid-token']],
      ] as const
    )
      .filter(([whom]) => whom === 'anonymous' || edits.includes(operation))
      .map(([whom, reasons]) => [
        `${operation}-locked-once-refused-to-${whom}`,
        {
          sentence: `Once ${operation} was refused to ${whom.replaceAll('-', ' ')}, it is refused on that path to everybody.`,
          breaks: [operationOf(operation).requirements[0].id as RequirementId],
          mayBreak: [
            ...requirementsOf(operation, 'protocol'),
            ...requirementsOf('delete-collaboration').filter((id) => id.includes('no-effect')),
          ],
          alter: lockedBy(operation, reasons, path),
        },
      ]),
  ),
)

const races: Readonly<Record<string, Written>> = Object.fromEntries(
  [3, 4, 5].flatMap((oneIn) =>
    (
      [
        ['', () => true],
        ['-of-administrators', ({ user }: Call) => user?.role === 'administrator'],
      ] as const
    ).map(([whose, concerns]) => [
      `item-given-twice-one-time-in-${oneIn}${whose}`,
      {
        sentence: `One time in ${oneIn} ownership is checked a while before the items move, so that two requests both give them away.`,
        breaks: ['reassign-items/concurrent-one-wins'] as const,
        alter: (parts) => {
          let count = 0
          parts.beforeMove = (call) => sleep(concerns(call) && Math.floor(count++ / 2) % oneIn === 0 ? 20 : 0)
        },
      } satisfies Written,
    ]),
  ),
)

/** After a refusal in a place, the user who was last accepted there is refused everywhere. */
const rightLostBy =
  (operation: OperationId, reasons: readonly Reason[]): Alter =>
  (parts) => {
    const place = ({ params: { portalID: _, ...params } }: Call) => Object.values(params)[0] ?? ''
    const acceptedLast = new Map<string, string>()
    const lost = new Set<string | undefined>()
    afterRefused(operation, reasons, (call) => lost.add(acceptedLast.get(place(call))))(parts)
    around(operation, async (call, honest) => {
      const { user } = call
      if (user === undefined) return honest()
      if (lost.has(user.username)) return parts.refuse('forbidden')
      const answer = await honest()
      if (answer.refused === undefined) acceptedLast.set(place(call), user.username)
      return answer
    })(parts)
  }

const lostRights: Readonly<Record<string, Written>> = Object.fromEntries(
  used.map((operation) => [
    `right-to-${operation}-lost-once-refused-to-others`,
    {
      sentence: `Once ${operation} was refused to anybody, the user who was accepted last in that place is always refused.`,
      breaks: [operationOf(operation).requirements[0].id as RequirementId],
      mayBreak: [
        ...requirementsOf(operation, 'protocol'),
        ...requirementsOf('delete-collaboration').filter((id) => id.includes('no-effect')),
      ],
      alter: rightLostBy(operation, ['token-required', 'invalid-token', 'forbidden']),
    },
  ]),
)

export const lockFaults = faultsOf({ ...locks, ...lostRights, ...races })
