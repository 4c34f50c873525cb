import { describe, expect, it } from 'vitest'
import { outlineOf } from '../outline.ts'
import { additions } from '../report/parts.ts'
import { checkOf, resultsOf } from '../results.fixture.ts'
import { onTerminal } from './paint.ts'
import { plain } from './sheet.ts'

const untested = (id: Parameters<typeof checkOf>[0], ...add: string[]) =>
  checkOf(id, { outcome: 'not-tested', reason: 'missing', requests: 0, add })

function written(...checks: Parameters<typeof resultsOf>[0][number][]): string {
  return onTerminal(additions(outlineOf(resultsOf(checks)).additions), { width: 100, paint: plain })
}

describe('what to add, after a run', () => {
  it('is nothing where all was judged', () => {
    expect(written(checkOf('add-workspace/creates'))).toBe('')
  })

  it('is nothing that could not be added', () => {
    const unselected = checkOf('add-workspace/creates', { outcome: 'not-tested', reason: 'not selected' })
    expect(written(unselected)).toBe('')
  })

  it('stands there with its use and its meaning, most useful first', () => {
    const text = written(
      untested('add-workspace/refuses-guest', 'actors.guestAdministrator'),
      untested('add-workspace/creates', 'fixtures.group'),
      untested('add-workspace/name-kept', 'fixtures.group'),
    )
    expect(text.split('\n').slice(0, 5)).toEqual([
      'What to add to have more tested, most useful first',
      '  + fixtures.group: 2 more checks of 2 requirements',
      '      fixtures.group: groups of the host that workspaces may be linked to',
      '  + actors.guestAdministrator: 1 more check of 1 requirement',
      '      actors.guestAdministrator: an administrator of the guest portal',
    ])
  })

  it('cannot act on a terminal, whatever the results hold', () => {
    expect(written(untested('add-workspace/creates', '\u001b[31mfixtures.group'))).not.toContain('\u001b')
  })
})
