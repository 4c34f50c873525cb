/** §5 What is nearly a credential is none: an empty one, one that resembles a permitted caller's, one that has ended. */

import { suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { type Likeness, ofTwo } from '../../runner/context/unknown.ts'
import { requirementCalled, targetNeeds } from '../../runner/operation-targets.ts'
import { operations } from '../../specs/operations.ts'
import { requirementOf } from '../../specs/requirements.ts'

/** The first half of such a credential names a user: too many wrong passwords would lock him out. */
const holdsPassword = /^basic\b/i

const inWords: Readonly<Record<Likeness, string>> = {
  empty: 'an empty credential',
  'another last character': 'a real credential with another last character',
  'another character in its middle': 'a real credential with another character in its middle',
  'its first three quarters': 'a credential that has its first three quarters from a real one',
  'its second half': 'a credential that has its second half from a real one',
  'all but its end': 'a real credential without its end',
  'a suffix': 'a real credential with a suffix',
  'a prefix': 'a real credential with a prefix',
  'its letters in other case': 'a real credential with its letters in other case',
  'its claims and no signature': 'a real credential with its claims and no signature',
  [ofTwo]: 'the claims of a real credential with the signature of another one',
}

const kinds = [
  {
    requirement: 'refuses-anonymous',
    check: 'empty-credential',
    title: 'An empty credential is as good as none: refused.',
    likenesses: (): readonly Likeness[] => ['empty'],
  },
  {
    requirement: 'refuses-invalid-credential',
    check: 'resembling',
    title: 'A credential that shares a half or more with that of a permitted caller is refused.',
    likenesses: ({ configuration }: CheckContext): readonly Likeness[] =>
      holdsPassword.test(configuration.authentication.prefix)
        ? ['its second half']
        : [
            'another last character',
            'another character in its middle',
            'its first three quarters',
            'its second half',
            'all but its end',
            'a suffix',
            'a prefix',
            'its letters in other case',
            'its claims and no signature',
            ofTwo,
          ],
  },
] as const

for (const { id: operation, calledBy } of operations) {
  for (const kind of kinds) {
    const id = requirementCalled(operation, kind.requirement)
    if (id === undefined || requirementOf(id).level === 'advice') continue
    const check = suite(targetNeeds(operation))

    check(`${id}:${kind.check}`, { title: kind.title }, async (context) => {
      const { acceptedHere, tried } = context.target(operation)
      const { request, answer: before } = await acceptedHere()
      context.control(before)
      await tried(async (call) => {
        for (const likeness of kind.likenesses(context)) {
          const stranger = await context.resembling(calledBy, likeness)
          if (stranger === undefined) continue
          context.expect(await call(stranger, request), before).toBeRefused(`${inWords[likeness]} was let in`)
        }
      })
    })
  }
}

for (const { id: operation, calledBy } of operations) {
  const id = requirementCalled(operation, 'refuses-invalid-credential')
  if (id === undefined) continue
  const check = suite(targetNeeds(operation))
  const title = 'A credential that was valid once and has ended is refused.'

  check(`${id}:expired`, { title, ended: calledBy }, async (context) => {
    const { acceptedHere, tried } = context.target(operation)
    const { request, answer: before } = await acceptedHere()
    context.control(before)
    const stranger = await context.ended(calledBy)
    await tried(async (call) =>
      context
        .expect(await call(stranger, request), before)
        .toBeRefused('a credential that has ended was let in'),
    )
  })
}
