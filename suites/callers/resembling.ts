/** Callers whose credential resembles that of a permitted caller. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Caller } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { Likeness } from '../../runner/context/resembling.ts'
import { NotApplicable } from '../../runner/findings.ts'

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
