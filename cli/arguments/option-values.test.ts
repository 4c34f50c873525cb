import { Command } from 'commander'
import { expect, test } from 'vitest'
import { collected, effectsOf, helpProse, wholeNumber } from './option-values.ts'

test('wholeNumber checks the range, collected appends, effectsOf splits a list', () => {
  expect(wholeNumber(0)('07')).toBe(7)
  expect(wholeNumber(-9)('-3')).toBe(-3)
  for (const text of ['', '1.5', '0x10', '1e3', 'x', '-1', ' 1']) {
    expect(() => wholeNumber(0)(text)).toThrow('A whole number from 0 is expected.')
  }
  expect(() => wholeNumber(0, 65_535)('70000')).toThrow('A whole number from 0 to 65535 is expected.')
  expect(collected('b', collected('a', undefined))).toEqual(['a', 'b'])
  expect(effectsOf('all')).toBe('all')
  expect(effectsOf('add-workspace, sync-workspace')).toEqual(['add-workspace', 'sync-workspace'])
})

const text = `
Example:
  program --with 'an example that is not to be wrapped, however long it is'

Prose that stands in
lines as wide as they came.`

test.each([
  [40, ['Prose that stands in lines as wide as', 'they came.']],
  [80, ['Prose that stands in lines as wide as they came.']],
])('helpProse wraps prose at %i columns, and does not wrap examples', (helpWidth, lines) => {
  let out = ''
  const program = new Command('program')
    .addHelpText('after', helpProse(text))
    .configureHelp({ helpWidth })
    .configureOutput({ writeOut: (written) => (out += written) })
  program.outputHelp()
  const [example, prose] = out.split('Example:\n')[1]?.split('\n\n') ?? []
  expect(example).toBe("  program --with 'an example that is not to be wrapped, however long it is'")
  expect(prose?.trimEnd().split('\n')).toEqual(lines)
})
