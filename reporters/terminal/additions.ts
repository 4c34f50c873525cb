/** What to add to a configuration, as a list on a sheet. */
import type { Step } from '../../runner/what-to-add.ts'
import { additionsNote, additionsTitle, gainOf, wordsFor } from '../addition-words.ts'
import type { Sheet } from './sheet.ts'

/** Nothing where there is nothing to add. */
export function writeAdditions(sheet: Sheet, steps: readonly Step[]): void {
  if (steps.length === 0) return
  sheet.gap()
  sheet.text(0, additionsTitle, 'bold')
  for (const step of steps) {
    sheet.labelled(2, { text: '+', format: 'cyan' }, `${step.add.join(', ')}: ${gainOf(step)}`)
    for (const key of step.add) {
      const words = wordsFor(key)
      if (words !== undefined) sheet.labelled(6, { text: `${key}:`, format: 'dim' }, words)
    }
  }
  sheet.text(2, additionsNote, 'dim')
}
