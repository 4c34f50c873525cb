import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { mutations } from './mutations.ts'

it.each(mutations)('$what: the text is there once, and the fault exists', ({ file, from, to, fault }) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(text.split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
  expect(faults.map(({ id }) => id)).toContain(fault)
})

it('has twenty of them, each with its own text', () => {
  expect(new Set(mutations.map(({ file, from }) => `${file} ${from}`)).size).toBe(20)
})
