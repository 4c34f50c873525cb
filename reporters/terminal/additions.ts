/** What to add to a configuration, as a list on a sheet. */
import type { Step } from '../../suites/what-to-add.ts'
import { wordsFor } from '../addition-words.ts'
import type { Sheet } from './sheet.ts'

/** Nothing where there is nothing to add. */
export function writeAdditions(sheet: Sheet, steps: readonly Step[]): void {
  if (steps.length === 0) return
  sheet.gap()
  sheet.text(0, 'What to add to have more tested, most useful first', 'bold')
  for (const { add, checks, requirements } of steps) {
    sheet.labelled(
      2,
      { text: '+', format: 'cyan' },
      `${add.join(', ')}: ${gain(checks, requirements.length)}`,
    )
    for (const key of add) {
      const words = wordsFor(key)
      if (words !== undefined) sheet.labelled(6, { text: `${key}:`, format: 'dim' }, words)
    }
  }
  sheet.text(2, footnote, 'dim')
}

const footnote = `Each count rests on what stands above it. fixtures.KIND is a list in fixtures.static, or a kind that your \
fixture provider offers; effects.OPERATION is an entry of the list effects.`

function gain(checks: number, requirements: number): string {
  return `${count(checks, 'more check')} of ${count(requirements, 'requirement')}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
