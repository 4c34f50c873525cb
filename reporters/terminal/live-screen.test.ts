import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveScreen } from './live-screen.ts'
import { Window } from './window.fixture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A screen below a line of somebody else, showing what is in `lines`. */
function showing(...first: string[]) {
  const window = new Window(40, 12)
  window.write('$ before\r\n')
  const shown = { lines: first }
  const screen = new LiveScreen(window, () => shown.lines)
  screen.start()
  return { window, shown, screen, later: () => vi.advanceTimersByTime(100) }
}

test('lines are redrawn in place, however many there are, and leave nothing behind', () => {
  const { window, shown, screen, later } = showing('one', 'two', 'three')
  expect(window.text).toBe('$ before\none\ntwo\nthree')
  shown.lines = ['ONE', '2']
  later()
  expect(window.text).toBe('$ before\nONE\n2')
  shown.lines = ['a', 'b', 'c', 'd']
  later()
  expect(window.text).toBe('$ before\na\nb\nc\nd')
  screen.stop()
  expect(window.text).toBe('$ before\n')
})

test('what did not change is not written again, and what changes no more than ten times a second', () => {
  const { window, shown, later } = showing('one')
  const before = window.written.length
  later()
  expect(window.written).toHaveLength(before)
  for (let at = 0; at < 1000; at += 5) {
    shown.lines = [`${at}`]
    vi.advanceTimersByTime(5)
  }
  expect(window.written.length - before).toBe(10)
})

test('every write leaves the cursor shown and lines wrapping', () => {
  const { window, shown, screen, later } = showing('one')
  shown.lines = ['two']
  later()
  screen.stop()
  for (const text of window.written) {
    const alone = new Window(40, 12)
    alone.write(text)
    expect([alone.cursorShown, alone.wraps]).toEqual([true, true])
  }
  expect(window.written[1]).toContain('\u001b[?25l')
})

test('a window that became narrower has broken the lines, and nothing of them remains', () => {
  const { window, shown, screen, later } = showing('x'.repeat(39), '\u001b[31mred\u001b[39m', 'y'.repeat(21))
  window.narrow(20)
  expect(window.text.split('\n')).toHaveLength(6)
  shown.lines = ['short', 'lines']
  later()
  expect(window.text).toBe('$ before\nshort\nlines')
  screen.stop()
  expect(window.text).toBe('$ before\n')
})

test('the timer keeps no process alive, and is gone once the screen is stopped', () => {
  const set = vi.spyOn(globalThis, 'setInterval')
  const { screen, shown, window, later } = showing('one')
  expect(set.mock.results[0]?.value.hasRef()).toBe(false)
  screen.stop()
  expect([screen.running, vi.getTimerCount()]).toEqual([false, 0])
  const before = window.written.length
  shown.lines = ['two']
  later()
  screen.stop()
  expect(window.written).toHaveLength(before)
})

test('a terminal that does not tell its size, or says 0, counts as one of the usual size', () => {
  const sizes: unknown[] = []
  const render = (size: unknown) => {
    sizes.push(size)
    return ['one']
  }
  new LiveScreen({ write: () => true }, render).start()
  new LiveScreen({ columns: 0, rows: 0, write: () => true }, render).start()
  expect(sizes).toEqual([
    { columns: 80, rows: 24 },
    { columns: 80, rows: 24 },
  ])
})
