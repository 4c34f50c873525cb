/** §4.7 Update SAML federation: what no family of checks covers. */
import { type CheckDefinition, suite } from '../../runner/check.ts'
import { isQuick } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, targetNeeds('update-federation'))

/** Number of repetitions of each update. */
const repetitions = 3

check('update-federation/idempotent', {}, async (context) => {
  const { given, forAll, control, expect, configuration } = context
  const { send } = context.target('update-federation')
  await forAll(
    given.requests('update-federation', { text: 'ordinary' }),
    async (request) => {
      const first = await send(request)
      control(first)
      // Urgent, because an update by another check in between would hide the effect of the repetition.
      const times = isQuick(configuration.run) ? 1 : repetitions
      for (let time = 0; time < times; time += 1)
        expect(await send(request, { urgent: true }), first).toBeAccepted('the same settings again')
    },
    { cases: 'few', width: 1 },
  )
})
