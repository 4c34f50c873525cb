import { expect, test } from 'vitest'
import { paintFor } from './sheet.ts'

test('paintFor colours on a terminal or with FORCE_COLOR, and not with NO_COLOR', () => {
  const red = '\u001b[31mx\u001b[39m'
  const cases: [boolean, NodeJS.ProcessEnv, string][] = [
    [true, {}, red],
    [false, {}, 'x'],
    [true, { NO_COLOR: '1' }, 'x'],
    [true, { NO_COLOR: '' }, red],
    [true, { TERM: 'dumb' }, 'x'],
    [true, { TERM: 'dumb', FORCE_COLOR: '1' }, red],
    [false, { FORCE_COLOR: '1' }, red],
    [true, { FORCE_COLOR: '0' }, 'x'],
  ]
  for (const [isTTY, environment, expected] of cases) {
    expect(paintFor({ isTTY }, environment)('red', 'x')).toBe(expected)
  }
})
