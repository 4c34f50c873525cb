/** Ways to try a wrong caller: with complete requests and with some parameters left out, and with forged credentials. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Part } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { openParameters } from '../../runner/cases/requests.ts'
import { usesUp } from '../../runner/check.ts'
import type { Caller, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, Likeness } from '../../runner/context/context.ts'
import { isQuick, tries } from '../../runner/effort.ts'
import { Discarded, NotApplicable } from '../../runner/findings.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import type { OperationId } from '../../specs/operations.ts'
import { isRefusedTo } from '../common/wrong-callers.ts'

/** Expects refusals on every path, in every situation, beside valid requests by a permitted caller. */
export async function isRefusedThroughout(
  context: CheckContext,
  operation: OperationId,
  refused: Part,
): Promise<void> {
  const target = context.target(operation)
  const { fixed, send, accepted, tried, permitted } = target
  const ordinary = { fixed, text: 'ordinary' } as const
  const requests = fc.oneof(
    context.given.requests(operation, { ...ordinary, leaveOut: 'nothing' }),
    context.given.requests(operation, { ...ordinary, leaveOut: 'all-but-required' }),
  )
  const by = context.callers.by(refused)
  const refuses = (request: RequestFields, answer: Answer, times = 1): Promise<void> =>
    isRefusedTo(context, target, refused, { request, answer }, { times })
  const { request: whole, answer } = await accepted()
  context.control(answer)
  const quick = isQuick(context.configuration.run)
  const looksFurther = context.situation() === 'plain' && !quick
  // Twice, because the first attempt must not count as a permission.
  const times = quick ? 1 : 2
  if (usesUp(operation))
    await context.inSituations(() => refuses(whole, answer, times), refused === 'anonymous' ? 4 : 3)
  else await refuses(whole, answer, times)
  // After a refusal, permitted callers must still be accepted. In a quick run, the refusal above is enough.
  const looksAfterwards = quick
    ? refused === 'anonymous' && !usesUp(operation)
    : tries('short', context.configuration.run)
  if (context.situation() === 'plain' && looksAfterwards)
    await tried(async (call) => {
      if (!quick) await call(by, whole)
      const after = await call(permitted, whole)
      context.control(after, `the same request by a permitted caller, after ${refused} was refused,`)
    })
  const open = looksFurther ? openParameters(operation, whole) : []
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
    { cases: refused === 'anonymous' && !usesUp(operation) ? 'some' : 'few', judged: 1 + open.length },
  )
}

const linkedLater = new Set(['portalGroupId', 'groups', 'f'])

/** The control of a role: the same request by the right actor. False if this deployment requires what the request omits. */
function isControl(
  context: CheckContext,
  operation: OperationId,
  request: RequestFields,
  answer: Answer,
): boolean {
  // Sending the request adds a group if none is mentioned.
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

/** The first half of such a credential names a user, whom too many wrong passwords would lock out. */
const holdsPassword = /^basic\b/i

const inWords: Readonly<Record<Likeness, string>> = {
  empty: 'an empty credential',
  'without its end': 'a real credential without its end',
  'without its signature': 'a real credential without its signature',
  'with the end of another': 'a real credential with the end of another one',
}

/** Each with a description of its credential. Throws `NotApplicable` if no such credential can be made. */
export async function strangersLike<Actor extends ActorName>(
  { callers, configuration }: CheckContext<Actor>,
  actor: Actor,
  likenesses: readonly Likeness[],
): Promise<readonly (readonly [string, Caller])[]> {
  const locksOut = holdsPassword.test(configuration.authentication.prefix)
  const strangers: [string, Caller][] = []
  for (const likeness of likenesses) {
    const stranger = locksOut && likeness !== 'empty' ? undefined : await callers.resembling(actor, likeness)
    if (stranger !== undefined) strangers.push([inWords[likeness], stranger])
  }
  if (strangers.length > 0) return strangers
  throw new NotApplicable('every forged credential would be valid, or would lock out its user')
}
