/** §2 Name and description of a workspace come back as they were sent. */
import fc from 'fast-check'
import { delicateTexts, printableText, scalarTexts, textOfLength } from '../../runner/cases/text.ts'
import { suite } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import { inTurn } from '../../runner/context/unknown.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'

const check = suite(targetNeeds('add-workspace'))

/** What some turn into links and signs. */
const linked = 'Copied: see https://example.org/roads/7?c=d, (c) or write to team@example.org'

for (const [id, part, field, most] of [
  ['add-workspace/name-kept', 'name', 'collaborationWorkspaceName', 100],
  ['add-workspace/description-kept', 'description', 'collaborationWorkspaceDescription', 250],
] as const) {
  const needs = {
    control: 'the request with the text',
    probe: `workspace.${part} in its answer is the text, character by character but for canonical equivalence: delicate texts first, then generated ones`,
  }
  check(id, needs, async (context) => {
    const { given, forAll, control, expect, configuration, situation } = context
    const { send } = context.target('add-workspace')
    // Only the text that is judged is delicate: what is wrong with the other must not get in its way.
    const texts = fc.oneof(
      { arbitrary: printableText(most), weight: 4 },
      { arbitrary: textOfLength(most), weight: 1 },
    )
    const valid = given.requests('add-workspace', { text: 'ordinary' })
    // A name has a mark of its own, so that it is no number or date.
    const whole = part === 'name' ? [] : [...scalarTexts, '12.50', '2024-03-05', linked]
    const delicate = [...delicateTexts, ...whole]
    const others = fc.sample(valid, { seed: configuration.run.seed, numRuns: delicate.length })
    const examples = delicate.map((text, at): RequestFields => ({ ...others[at], [field]: text }))
    const requests = fc
      .tuple(valid, texts)
      .map(([request, text]): RequestFields => ({ ...request, [field]: text }))
    // In further looks, which are few, the other text is a delicate one as well.
    const other = part === 'name' ? 'collaborationWorkspaceDescription' : 'collaborationWorkspaceName'
    const besides = (number: number): RequestFields =>
      situation() === 'plain'
        ? {}
        : { [other]: inTurn(delicateTexts, number + (part === 'name' ? 8 : 16), 1)[0] }
    await forAll(
      requests,
      async (plain, number) => {
        const answer = await send(given.named({ ...plain, ...besides(number) }))
        control(answer)
        expect(answer).toKeep(id)
      },
      { cases: 'many', examples },
    )
  })
}
