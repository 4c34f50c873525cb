/** §5 What is nearly a credential is none: an empty one, one that resembles a permitted caller's, one that has ended. */

import type { ActorName } from '../../deployment/configuration/actors.ts'
import { suite } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { Likeness } from '../../runner/context/resembling.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { requirementCalled, targetNeeds } from '../../runner/operation-targets.ts'
import { operations } from '../../specs/operations.ts'
import { requirementOf } from '../../specs/requirements.ts'

/** Such a credential names a user in its first half: too many wrong passwords would lock the user out. */
const holdsPassword = /^basic\b/i

const inWords: Readonly<Record<Likeness, string>> = {
  empty: 'an empty credential',
  'without its end': 'a real credential without its end',
  'without its signature': 'a real credential without its signature',
  'with the end of another': 'a real credential with the end of another one',
}

const kinds = [
  {
    requirement: 'refuses-anonymous',
    check: 'empty-credential',
    title: 'An empty credential is as good as none: refused.',
    likenesses: ['empty'],
  },
  {
    requirement: 'refuses-invalid-credential',
    check: 'resembling',
    title: 'A credential that resembles that of a permitted caller is refused.',
    likenesses: ['without its end', 'without its signature', 'with the end of another'],
  },
] as const satisfies readonly { readonly likenesses: readonly Likeness[]; readonly [key: string]: unknown }[]

/** Those whose credential resembles that of the actor. Throws `NotApplicable` where none can be made up. */
async function strangersLike<Actor extends ActorName>(
  { callers, configuration }: CheckContext<Actor>,
  actor: Actor,
  likenesses: readonly Likeness[],
): Promise<readonly (readonly [Likeness, Caller])[]> {
  const locksOut = holdsPassword.test(configuration.authentication.prefix)
  const strangers: [Likeness, Caller][] = []
  for (const likeness of likenesses) {
    const stranger = locksOut && likeness !== 'empty' ? undefined : await callers.resembling(actor, likeness)
    if (stranger !== undefined) strangers.push([likeness, stranger])
  }
  if (strangers.length > 0) return strangers
  throw new NotApplicable(
    'no credential resembles one of these without being as good, or locking its user out',
  )
}

for (const { id: operation, calledBy } of operations) {
  for (const kind of kinds) {
    const id = requirementCalled(operation, kind.requirement)
    if (id === undefined || requirementOf(id).level === 'advice') continue
    const check = suite(targetNeeds(operation))

    check(`${id}:${kind.check}`, { title: kind.title }, async (context) => {
      const strangers = await strangersLike(context, calledBy, kind.likenesses)
      const { acceptedHere, tried } = context.target(operation)
      const { request, answer: before } = await acceptedHere()
      context.control(before)
      await tried(async (call) => {
        for (const [likeness, stranger] of strangers)
          context.expect(await call(stranger, request), before).toBeRefused(`${inWords[likeness]} was let in`)
      })
    })
  }
}

for (const { id: operation, calledBy } of operations) {
  const id = requirementCalled(operation, 'refuses-invalid-credential')
  if (id === undefined) continue
  const check = suite(targetNeeds(operation))
  const title = 'A credential that was valid once and has ended is refused.'

  check(`${id}:expired`, { title, whereThere: { ended: calledBy } }, async (context) => {
    const { acceptedHere, tried } = context.target(operation)
    const { request, answer: before } = await acceptedHere()
    context.control(before)
    const stranger = await context.callers.ended(calledBy)
    await tried(async (call) =>
      context
        .expect(await call(stranger, request), before)
        .toBeRefused('a credential that has ended was let in'),
    )
  })
}
