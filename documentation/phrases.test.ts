import { expect, it } from 'vitest'
import { phrasesIn } from './phrases.ts'

it.each([
  ['so many at once', 'so many'],
  ['What becomes of it.', 'What becomes of'],
  ['it does the same for each', 'the same'],
  ['the other does the same.', 'the same'],
  ['import { byKey } from "./alike.ts"', 'alike.ts'],
  ['const definitionsTold = []', 'Told'],
])('phrasesIn finds a phrase in: %s', (text, phrase) => {
  expect(phrasesIn(`fine\n${text}`).map(({ line, found }) => [line, found])).toEqual([[2, phrase]])
})

it.each([
  'it stays the same.',
  'the same portal',
  'is the same as before',
  'likewise',
  'broadcast',
  'without saying',
])('phrasesIn finds no phrase in: %s', (text) => {
  expect(phrasesIn(text)).toEqual([])
})

it('phrasesIn suggests what to write instead', () => {
  expect(phrasesIn('asked in vain')).toEqual([
    { line: 1, found: 'in vain', instead: '"without success", "failed"' },
  ])
})
