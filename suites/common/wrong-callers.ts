/** Callers who must be refused (§5): every wrong caller of every operation, by its requirements. */

import { isDeepStrictEqual } from 'node:util'
import { isStranger, type Part, type Stranger } from '../../clauses/exchange.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { CheckContext, OperationTarget, Ordinary } from '../../runner/context/context.ts'
import { isQuick, looks, tries } from '../../runner/effort.ts'
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
}

/** Expects a refusal on every path that the caller tries. */
export async function refusedOnEachPath(
  { expect, callers }: Pick<CheckContext<never, never>, 'expect' | 'callers'>,
  { caller, ask, before, did = `${caller} was accepted`, paths }: Trial,
): Promise<void> {
  for (const portal of callers.portalsTriedBy(caller).slice(0, paths))
    expect(await ask(portal), ...before).toBeRefused(`${did}, on the path of the ${portal} portal`)
}

/** Throws `NotApplicable` if the same login has already tried as another actor. */
export function playsNoOtherPart(
  { configuration: { actors } }: Pick<CheckContext, 'configuration'>,
  actor: ActorName,
  other: ActorName,
): void {
  if (isDeepStrictEqual(actors[other]?.credential, actors[actor]?.credential))
    throw new NotApplicable(`${actor} is who plays ${other} here, and was tested as such`)
}

/** Expects an accepted request to be refused to that caller on every path, `times` times. */
export function isRefusedTo(
  context: CheckContext<never, never>,
  { tried }: OperationTarget,
  caller: Part,
  { request, answer }: Ordinary,
  { times = 1, ...others }: Pick<Trial, 'did' | 'paths'> & { readonly times?: number } = {},
): Promise<void> {
  const by = context.callers.by(caller)
  return tried(async (call) => {
    const ask = (portal: PortalName) => call(by, request, {}, portal)
    for (let time = 0; time < times; time += 1)
      await refusedOnEachPath(context, { caller, ask, before: [answer], ...others })
  })
}

/** Expects another wrong caller to be refused on every path: in a long run several times, in a quick one on one path. */
export async function isRefusedRepeatedly(
  context: CheckContext<never, never>,
  operation: OperationId,
  actor: ActorName,
): Promise<void> {
  const target = context.target(operation)
  const { run } = context.configuration
  const times = tries('thorough', run) ? looks.few : 1
  const accepted = await target.accepted()
  context.control(accepted.answer)
  await isRefusedTo(context, target, actor, accepted, { times, paths: isQuick(run) ? 1 : undefined })
}

/** Expects another wrong caller to be refused on every path, in this many situations. `did`: what was accepted wrongly, in words. */
export async function isRefusedToo(
  context: CheckContext<never, never>,
  operation: OperationId,
  actor: ActorName,
  did?: string,
  most?: number,
): Promise<void> {
  const target = context.target(operation)
  const accepted = await target.acceptedHere()
  context.control(accepted.answer)
  await context.inSituations(() => isRefusedTo(context, target, actor, accepted, { did }), most)
}
