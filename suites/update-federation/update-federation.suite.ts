/** §4.7 Update SAML federation: what no family of checks covers. */
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { How } from '../../runner/context/calls.ts'
import { isQuick } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, targetNeeds('update-federation'))

/** Number of repetitions of each update. */
const repetitions = 3

check('update-federation/idempotent', {}, async (context) => {
  const { given, as, forAll, control, expect, configuration } = context
  const at = await given.federation()
  await forAll(
    given.requests('update-federation', { text: 'ordinary' }),
    async (request) => {
      const settings = await given.settingsFor(at, request)
      const send = (how: How = {}) => as.organizationAdministrator('update-federation', at, settings, how)
      const first = await send()
      control(first)
      // Urgent, because an update by another check in between would hide the effect of the repetition.
      const times = isQuick(configuration.run) ? 1 : repetitions
      for (let time = 0; time < times; time += 1)
        expect(await send({ urgent: true }), first).toBeAccepted('the same settings again')
    },
    { cases: 'few', width: 1 },
  )
})
