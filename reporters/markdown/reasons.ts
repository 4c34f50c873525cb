/** What was not judged, does not count or was only seen: by reason. */
import type { Outcome } from '../../specs/outcomes.ts'
import { waiverSentence } from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { Results } from '../results.ts'
import { code, prose } from './escaping.ts'
import { type Block, names, type Section } from './section.ts'

/** Requirements of that outcome; of those that passed, the ones with a reason. */
export function reasons({ requirements }: Results, outcome: Outcome, title: string): Section {
  const such = requirements.filter(
    (requirement) =>
      requirement.outcome === outcome && (outcome !== 'passed' || requirement.reason !== undefined),
  )
  const alike = byKey(such, ({ reason }) => reason ?? 'no reason given')
  const blocks = [...alike].map(
    ([reason, several]): Block => ({
      text: `- ${outcomeWords[outcome].sign} ${prose(reason)}: ${names(
        several.map(({ id }) => id),
        code,
      )}\n`,
      count: several.length,
    }),
  )
  return { title, kind: `requirements that are ${outcomeWords[outcome].word}`, blocks }
}

/** Failures that do not count, with who answers for them. */
export function waivers({ requirements }: Results): Section {
  const waived = requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'waived'))
  const blocks = waived.map((check): Block => {
    const found = check.failure === undefined ? '' : ` Found: ${prose(check.failure.message)}`
    const why = prose(waiverSentence(check) ?? check.reason ?? 'no reason given')
    return { text: `- ${outcomeWords.waived.sign} ${code(check.id)}: ${why}.${found}\n`, count: 1 }
  })
  return { title: 'Waived', kind: 'waived checks', blocks }
}

/** What the contract leaves open, and this target does; folded away. */
export function observations({ observations }: Results): Section {
  const alike = byKey(observations, ({ question, observed }) => JSON.stringify([question, observed]))
  const rows = [...alike.values()].map((several) => {
    const [{ question, observed }] = several as [(typeof observations)[number]]
    const where = [...new Set(several.map(({ operation }) => operation))]
    return `- ${prose(question)} ${prose(observed)} (${names(where, code)})`
  })
  const text = [
    '<details><summary>What this target does where the contract leaves it open</summary>',
    '',
    ...rows,
    '',
    '</details>',
    '',
  ].join('\n')
  const blocks = rows.length === 0 ? [] : [{ text, count: observations.length }]
  return { title: 'Observed', kind: 'observations', blocks }
}
