import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveScreen } from './live-screen.ts'
import { Window } from './window.fixture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A live screen below an earlier line of output. `shown.lines` sets its lines. */
function showing(...first: string[]) {
  const window = new Window(40, 12)
  window.write('$ before\r\n')
  const shown = { lines: first }
  const screen = new LiveScreen(window, () => shown.lines)
  screen.start()
  return { window, shown, screen, later: () => vi.advanceTimersByTime(100) }
}

test('LiveScreen redraws in place, also with more or fewer lines, and clears at the end', () => {
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

test('LiveScreen writes only changes, at most ten times a second', () => {
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

test('each write of LiveScreen leaves cursor and line wrapping on', () => {
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

test('LiveScreen clears lines that a narrower window wrapped', () => {
  const { window, shown, screen, later } = showing('x'.repeat(39), '\u001b[31mred\u001b[39m', 'y'.repeat(21))
  window.narrow(20)
  expect(window.text.split('\n')).toHaveLength(6)
  shown.lines = ['short', 'lines']
  later()
  expect(window.text).toBe('$ before\nshort\nlines')
  screen.stop()
  expect(window.text).toBe('$ before\n')
})

test('the timer of LiveScreen does not keep the process alive and stops with the screen', () => {
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

test('LiveScreen assumes 80 by 24 if the terminal has no size or size 0', () => {
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
