/** §5 Authentication: who is refused. Reassignment has rules of its own and a file of its own. */

import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import { wrongCallersOf } from '../../clauses/callers.ts'
import { isStranger, type Part } from '../../clauses/exchange.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { openParameters } from '../../runner/cases/requests.ts'
import { type Judged, suite, usesUp } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Discarded } from '../../runner/findings.ts'
import { otherGuestIn, requirementCalled, targetNeeds } from '../../runner/operation-targets.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operations } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  actorsOf,
  isRefusedOnce,
  isRefusedToo,
  playsNoOtherPart,
  refusedOnEachPath,
} from './wrong-callers.ts'

/** A delete is judged with its consequences, a reassignment with the rules that it alone has. */
const elsewhere: readonly OperationId[] = ['delete-collaboration', 'reassign-items']

/** Every wrong caller of every operation. */
const rules = operations
  .filter(({ id }) => !elsewhere.includes(id))
  .flatMap(({ id: operation }) => wrongCallersOf(operation).map((rule) => ({ ...rule, operation })))

/** Who they are, in words. */
const inWords: Readonly<Record<string, string>> = {
  'refuses-guest': 'an administrator of a guest',
  'refuses-non-administrator': 'a member of the host',
  'refuses-non-designated': 'a caller of a participant that is not designated',
  'refuses-other-organization': 'an administrator of another organization',
  'refuses-anonymous': 'a caller without a credential or with an empty one',
  'refuses-invalid-credential':
    'a caller with a made-up credential, also one that shares a half with a real one,',
}

/** Who may, by operation. */
const permitted: Readonly<Record<string, string>> = {
  'add-workspace': 'an administrator of the host',
  'sync-workspace': 'a caller of the participant that is designated',
  'update-participant': 'an administrator of the host',
  'update-task-run': 'the owner of the task',
  'update-federation': 'an organization administrator',
}

function judged(id: RequirementId, operation: OperationId, refused: Part): Judged {
  const tasks = operation === 'update-task-run'
  const who = tasks ? 'a caller without a credential' : inWords[id.slice(operation.length + 1)]
  const used =
    isStranger(refused) && !tasks ? '; also on a connection that a permitted caller has just used' : ''
  return {
    control: `the request by ${permitted[operation]}`,
    probe: `the same request by ${who}, whole and with parameters left out, on each path tried: refused${used}`,
  }
}

for (const { id, operation, refused } of rules) {
  const check = suite(targetNeeds(operation))

  check(id, { actors: actorsOf(refused), ...judged(id, operation, refused) }, async (context) => {
    const { fixed, send, accepted, tried } = context.target(operation)
    const ordinary = { fixed, text: 'ordinary' } as const
    const requests = fc.oneof(
      context.given.requests(operation, { ...ordinary, leaveOut: 'nothing' }),
      context.given.requests(operation, { ...ordinary, leaveOut: 'all-but-required' }),
    )
    const refuses = (request: RequestFields, before: Answer, times = 1): Promise<void> =>
      tried(async (call) => {
        const ask = (portal: PortalName) => call(context.as[refused], request, {}, portal)
        for (let time = 0; time < times; time += 1) await refusedOnEachPath(context, refused, ask, [before])
      })
    const { request: whole, answer } = await accepted()
    context.control(answer)
    // Twice: who was refused once is refused again.
    if (usesUp(operation))
      await context.inSituations(() => refuses(whole, answer, 2), refused === 'anonymous' ? 4 : 3)
    else await refuses(whole, answer, 2)
    // What is left out matters to who looks at it the first time.
    const open = context.situation() === 'plain' ? openParameters(operation, whole) : []
    await Promise.all(
      open.map(async (name) => {
        const { request, answer: before } = await accepted(name)
        if (isControl(context, operation, request, before)) await refuses(request, before)
      }),
    )
    await context.forAll(
      requests,
      async (request) => {
        const before = await send(request)
        if (!isControl(context, operation, request, before))
          throw new Discarded('a parameter that was left out is required here')
        await refuses(request, before)
      },
      { cases: refused === 'anonymous' ? 'some' : 'few', judged: usesUp(operation) ? 1 : open.length },
    )
  })
}

for (const { id, operation } of rules.filter(({ refused }) => refused === 'guestAdministrator')) {
  const check = suite(targetNeeds(operation))

  check(
    `${id}:other-guest`,
    {
      whereThere: { actors: ['syncNonInitiator'] },
      traits: ['further'],
      title: 'The administrator of a guest that is not designated to sync is refused as well.',
    },
    async (context) => {
      otherGuestIn(context)
      await isRefusedToo(context, operation, 'syncNonInitiator')
    },
  )
}

for (const { id: operation } of operations) {
  const id = requirementCalled(operation, 'refuses-guest')
  if (id === undefined) continue
  const check = suite(targetNeeds(operation))

  check(
    `${id}:hosts-another`,
    {
      actors: ['guestAdministrator'],
      whereThere: { fixtures: ['guestHosted'] },
      traits: ['further'],
      title:
        'The administrator of a guest that hosts a collaboration of its own is refused in that of another.',
    },
    async (context) => {
      await context.given.guestHosted()
      await isRefusedToo(context, operation, 'guestAdministrator', 'a guest that hosts another was let in', 2)
    },
  )
}

/** Who are no administrators either, beside the member of the host (§5 says so of the owners of items). */
const alsoNoAdministrators = ['itemOwner', 'itemOwnerUnprivileged', 'outsider'] as const

for (const { id: operation } of operations) {
  const id = requirementCalled(operation, 'refuses-non-administrator')
  if (id === undefined) continue
  const check = suite(targetNeeds(operation))

  for (const actor of alsoNoAdministrators) {
    check(
      `${id}:${actor}`,
      {
        whereThere: { actors: [actor] },
        traits: ['further'],
        title: `Who is no administrator is refused, also as ${actor}.`,
      },
      async (context) => {
        playsNoOtherPart(context, actor, 'hostMember')
        await isRefusedOnce(context, operation, actor)
      },
    )
  }
}

const linkedLater = new Set(['portalGroupId', 'groups', 'f'])

/** The control of a role: the same request by the right actor. False where what it leaves out is required here. */
function isControl(
  context: CheckContext,
  operation: OperationId,
  request: RequestFields,
  answer: Answer,
): boolean {
  // A group that is not mentioned at all is put in when the request is sent.
  const settled = context.configuration.contract.federation ?? {}
  const complete = Object.entries(requestSchema(operation).properties).every(
    ([name, property]) =>
      request[name] !== undefined ||
      (property['x-realistic'] === 'settled' && !Object.hasOwn(settled, name)) ||
      (!Object.hasOwn(request, name) && linkedLater.has(name)),
  )
  if (!complete && !isAccepted(answer)) return false
  context.control(answer)
  return true
}

for (const { id, operation, refused: stranger } of rules) {
  if (!isStranger(stranger)) continue
  const check = suite(targetNeeds(operation))
  const title = `${stranger} is refused on a connection that a permitted caller has just used.`

  check(`${id}:used-connection`, { title }, async (context) => {
    const { fixed, fresh, permitted, send, tried } = context.target(operation)
    const request = await context.given.request(operation, fixed)
    // On what was accepted just before, but for a workspace, which goes on to who waits for it.
    const subject = operation === 'sync-workspace' ? undefined : await fresh()
    await context.callers.onOneConnection(async (connection) => {
      const how = { on: connection }
      const used = await (subject?.call(permitted, request, how) ?? send(request, how))
      context.control(used)
      const trying: typeof tried = subject === undefined ? tried : (judge) => judge(subject.call)
      await trying(async (call) => {
        const answer = await call(context.as[stranger], request, how)
        context
          .expect(answer, used)
          .toBeRefused(`${stranger} was let in on a connection that a permitted caller had used`)
      })
    })
  })
}
