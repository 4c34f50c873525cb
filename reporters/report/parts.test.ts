/** The parts of terminal, Markdown and HTML reports other than findings and tables. */
import { describe, expect, it, test } from 'vitest'
import { forPeople, recorded } from '../rendering.fixture.ts'
import { checkOf, resultsOf } from '../results.fixture.ts'
import { additionsAfter, notices } from './parts.ts'

const untested = (id: Parameters<typeof checkOf>[0], ...add: string[]) =>
  checkOf(id, { outcome: 'not-tested', reason: 'missing', requests: 0, add })

const title = 'What to add to have more tested'
const whole = resultsOf([checkOf('add-workspace/creates')])
const lacking = resultsOf([
  untested('add-workspace/refuses-guest', 'actors.guestAdministrator'),
  untested('add-workspace/creates', 'fixtures.group'),
  untested('add-workspace/name-kept', 'fixtures.group'),
])

describe.each(Object.entries(forPeople))('%s report', (name, render) => {
  it('lists what to configure to test more, with use and meaning, most useful first', () => {
    const text = render(lacking)
    const list = text.slice(text.indexOf(title))
    const parts = [
      'fixtures.group',
      '2 more checks of 2 requirements',
      'groups of the host that workspaces may be linked to',
      'actors.guestAdministrator',
      '1 more check of 1 requirement',
      'an administrator of the guest portal',
      'Each count assumes that everything above it was added',
    ]
    const places = parts.map((part) => list.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  it('shows findings about clients and the number of recorded exchanges', () => {
    const text = render(recorded)
    const message = name === 'terminal' ? 'status is required <script>' : 'status is required &lt;script&gt;'
    for (const part of [message, 'client/required-parameter', 'update-task-run', '8 exchanges'])
      expect(text).toContain(part)
    expect(text).not.toMatch(/of each generated check|310 requests/)
    expect(render(whole)).not.toContain('no conforming server')
  })
})

test.each([
  ['everything was judged', whole],
  ['a check lacks nothing that can be configured', resultsOf([untested('add-workspace/creates')])],
])('additionsAfter is empty if %s', (_, results) => {
  expect(additionsAfter(results)).toEqual([])
})

test('notices count the throttled requests', () => {
  const { run, ...others } = resultsOf([])
  const putOff = { throttled: 12, unavailable: 1, busy: 3, perSecond: 40.5 }
  const text =
    'The run retried 16 requests: 12 throttled (429), 1 with 502 to 504 or no connection, 3 as busy (409 or 423). It kept up with about 40.5 requests a second.'
  expect(notices({ ...others, run: { ...run, putOff } })).toMatchObject([{ title: 'Throttled.', text }])
})
