import { expect, test } from 'vitest'
import { gistOf } from './grouping.ts'

test.each([
  ['HTTP 500 with incident 8tw161sxhy', 'HTTP 500 with incident zqv387y6nc'],
  ['workspace 7e4761f876d48deedf81e42611c5701e', 'workspace 81e42611c57017e4761f876d48deedfe'],
  ['after 12345 ms', 'after 9876 ms'],
  ['a body of 97 bytes, after 3 ms', 'a body of 512 bytes, after 21 ms'],
  ['an id like 0f3a-5b7c-9d1e', 'an id like 1111-2222-3333'],
])('gistOf: %j and %j have the same cause', (one, other) => {
  expect(gistOf(one)).toBe(gistOf(other))
})

test.each([
  ['HTTP 500', 'HTTP 404'],
  ['101 characters', '251 characters'],
  ['workspace.id: missing', 'workspace.name: missing'],
  ['the first answer', 'the second answer'],
])('gistOf: %j and %j have different causes', (one, other) => {
  expect(gistOf(one)).not.toBe(gistOf(other))
})
