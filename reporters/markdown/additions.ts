/** What to add to the configuration so that the next run judges more. */
import { additionsNote, additionsTitle, gainOf, wordsFor } from '../addition-words.ts'
import { additionsAfter } from '../additions.ts'
import type { Results } from '../results.ts'
import { code, prose } from './escaping.ts'
import type { Block, Section } from './section.ts'

/** Empty where all was judged that could be. */
export function additions(results: Results): Section {
  const steps = additionsAfter(results)
  const blocks = steps.map((step): Block => {
    const meanings = step.add.flatMap((key) => {
      const words = wordsFor(key)
      return words === undefined ? [] : [`  - ${code(key)}: ${prose(words)}\n`]
    })
    return { text: `- ${step.add.map(code).join(', ')}: ${gainOf(step)}\n${meanings.join('')}`, count: 1 }
  })
  const note: Block[] = steps.length === 0 ? [] : [{ text: `\n${prose(additionsNote)}\n`, count: 0 }]
  return { title: additionsTitle, kind: 'things to add', blocks: [...blocks, ...note] }
}
