import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mutations } from './mutations.ts'

it.each(mutations.map((mutation) => [mutation.what, mutation] as const))(
  '%s: its file has the text once',
  (_, { file, from, to }) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(text.split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
  },
)

it('there are 20 mutations, each of its own text', () => {
  expect(new Set(mutations.map(({ file, from }) => `${file} ${from}`)).size).toBe(20)
})
