/** Callers who must be refused (§5), and ways to try them: paths, repetitions, parameters left out, forged credentials. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { isStranger, type Part, type Stranger } from '../../clauses/exchange.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Likeness } from '../../runner/cases/likenesses.ts'
import { openParameters } from '../../runner/cases/requests.ts'
import { usesUp } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import type { CheckContext, OperationTarget, Ordinary } from '../../runner/context/context.ts'
import { isQuick } from '../../runner/effort.ts'
import { NotApplicable } from '../../runner/findings.ts'
import type { OperationId } from '../../specs/operations.ts'

/** The actors that a check of that caller needs. Strangers need no configuration. */
export const actorsOf = <Name extends Part>(refused: Name): Exclude<Name, Stranger>[] =>
  isStranger(refused) ? [] : [refused as Exclude<Name, Stranger>]

/** How a wrong caller is tried. */
interface Trial {
  readonly caller: Part
  readonly ask: (portal: PortalName) => Promise<Answer>
  /** The accepted requests of permitted callers. */
  readonly before: readonly Answer[]
  /** What was accepted wrongly, in words. */
  readonly did?: string | undefined
  /** On how many paths of the caller. Default: all. */
  readonly paths?: number | undefined
  /** How often on each path. A refused caller must be refused again. Default: once. */
  readonly times?: number
}

/** Expects a refusal on every path that the caller tries. */
export async function refusedOnEachPath(
  { expect, callers }: Pick<CheckContext<never, never>, 'expect' | 'callers'>,
  { caller, ask, before, did = `${caller} was accepted`, paths, times = 1 }: Trial,
): Promise<void> {
  for (let time = 0; time < times; time += 1)
    for (const portal of callers.portalsTriedBy(caller).slice(0, paths))
      expect(await ask(portal), ...before).toBeRefused(
        `${did}, on the path of the ${portal} portal${time === 0 ? '' : ', on another try'}`,
      )
}

/** How an accepted request of somebody else is tried. */
type Tries = Pick<Trial, 'did' | 'paths' | 'times'>

/** Expects an accepted request to be refused to that caller on every path. */
function isRefusedTo(
  context: CheckContext<never, never>,
  { tried }: OperationTarget,
  caller: Part,
  { request, answer }: Ordinary,
  how: Tries,
): Promise<void> {
  const by = context.callers.by(caller)
  return tried((call) => {
    const ask = (portal: PortalName) => call(by, request, {}, portal)
    return refusedOnEachPath(context, { caller, ask, before: [answer], ...how })
  })
}

/** Expects another wrong caller to be refused on every path, in at most this many situations. */
export async function isRefusedToo(
  context: CheckContext<never, never>,
  operation: OperationId,
  caller: Part,
  { most, ...how }: Tries & { readonly most?: number } = {},
): Promise<void> {
  const target = context.target(operation)
  const accepted = await target.controlledHere()
  await context.inSituations(() => isRefusedTo(context, target, caller, accepted, how), most)
}

/** Expects refusals on every path, in every situation, beside valid requests by a permitted caller. */
export async function isRefusedThroughout(
  context: CheckContext,
  operation: OperationId,
  refused: Part,
): Promise<void> {
  const target = context.target(operation)
  const { fixed, send, accepted, tried, permitted } = target
  const refuses = (ordinary: Ordinary, times = 1): Promise<void> =>
    isRefusedTo(context, target, refused, ordinary, { times })
  const whole = await target.controlled()
  const { run } = context.configuration
  const quick = isQuick(run)
  const isPlain = context.situation() === 'plain'
  // Twice, because the first attempt must not count as a permission.
  const times = quick ? 1 : 2
  if (usesUp(operation))
    await context.inSituations(() => refuses(whole, times), refused === 'anonymous' ? 4 : 3)
  else await refuses(whole, times)
  // After a refusal, permitted callers must still be accepted. In a quick run, the refusal above is enough.
  const looksAfterwards = !quick || (refused === 'anonymous' && !usesUp(operation))
  if (isPlain && looksAfterwards)
    await tried(async (call) => {
      if (!quick) await call(context.callers.by(refused), whole.request)
      const after = await call(permitted, whole.request)
      context.control(after, `the same request by a permitted caller, after ${refused} was refused,`)
    })
  const open = isPlain && !quick ? openParameters(operation, whole.request) : []
  await Promise.all(
    open.map(async (name) => {
      const without = await accepted(name)
      // Whether a parameter may be left out is open.
      if (isAccepted(without.answer)) await refuses(without)
    }),
  )
  await context.forAll(
    context.given.requests(operation, { fixed, text: 'ordinary', leaveOut: 'nothing' }),
    async (request) => {
      const answer = await send(request)
      context.control(answer)
      await refuses({ request, answer })
    },
    { cases: refused === 'anonymous' && !usesUp(operation) ? 'some' : 'few', judged: 1 + open.length },
  )
}

/** The first half of such a credential names a user, whom too many wrong passwords would lock out. */
const holdsPassword = /^basic\b/i

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
    if (stranger !== undefined)
      strangers.push([
        likeness === 'empty' ? 'an empty credential' : `a real credential ${likeness}`,
        stranger,
      ])
  }
  if (strangers.length > 0) return strangers
  throw new NotApplicable('every forged credential would be valid, or would lock out its user')
}
