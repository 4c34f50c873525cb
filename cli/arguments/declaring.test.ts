import { Command } from 'commander'
import { expect, it } from 'vitest'
import { helpProse } from './declaring.ts'

const text = `
Example:
  program --with 'an example that is not to be wrapped, however long it is'

Prose that stands in
lines as wide as they came.`

it.each([
  [40, ['Prose that stands in lines as wide as', 'they came.']],
  [80, ['Prose that stands in lines as wide as they came.']],
])('wraps prose at %i columns, and leaves examples as they are', (helpWidth, lines) => {
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
