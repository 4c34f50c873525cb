/** What to add to a configuration stands in every report for people, and nothing of it is obeyed. */
import { describe, expect, it } from 'vitest'
import { htmlReport } from './html/report.ts'
import { markdownReport } from './markdown/report.ts'
import { checkOf, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'
import { terminalReport } from './terminal/report.ts'
import { plain } from './terminal/sheet.ts'

const untested = (id: Parameters<typeof checkOf>[0], ...add: string[]) =>
  checkOf(id, { outcome: 'not-tested', reason: 'missing', requests: 0, add })

const title = 'What to add to have more tested'
const whole = resultsOf([checkOf('add-workspace/creates')])
const lacking = resultsOf([
  untested('add-workspace/refuses-guest', 'actors.guestAdministrator'),
  untested('add-workspace/creates', 'fixtures.group'),
  untested('add-workspace/name-kept', 'fixtures.group'),
])

const reports: readonly (readonly [string, (results: Results) => string])[] = [
  ['terminal', (results) => terminalReport(results, { width: 100, paint: plain })],
  ['html', (results) => [...htmlReport(results)].join('')],
  ['markdown', (results) => [...markdownReport(results)].join('')],
]

describe.each(reports)('%s', (name, render) => {
  it('names what to add, its use and its meaning, most useful first', () => {
    const text = render(lacking)
    const list = text.slice(text.indexOf(title))
    const parts = [
      'fixtures.group',
      '2 more checks of 2 requirements',
      'groups of the host that workspaces may be linked to',
      'actors.guestAdministrator',
      '1 more check of 1 requirement',
      'an administrator of the guest portal',
      'Each count rests on what stands above it',
    ]
    const places = parts.map((part) => list.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  it('does not say where all was judged', () => expect(render(whole)).not.toContain(title))

  it('obeys nothing that results hold there', () => {
    const key = '\u001b[31m<img src=x>'
    const text = render(resultsOf([untested('add-workspace/creates', key)]))
    expect(text).toContain(title)
    expect(text).not.toContain('\u001b')
    if (name === 'html') expect(text).not.toContain('<img')
  })
})
