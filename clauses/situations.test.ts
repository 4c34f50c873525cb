import { expect, test } from 'vitest'
import {
  added,
  deleted,
  entryOf,
  exchangeOfEntry,
  give,
  items,
  moved,
  refusal,
  type Said,
} from './exchange.fixture.ts'
import { Situations } from './situations.ts'

/** The situations of the last of them. */
async function ofLast(...said: readonly Said[]): Promise<readonly string[]> {
  const met = new Situations()
  let last: readonly string[] = []
  for (const each of said) {
    const calling = each.caller === undefined ? {} : { caller: each.caller }
    last = met.of(await exchangeOfEntry(entryOf(each), 'a check', calling))
  }
  return last
}

const at = (seconds: number, said: Said): Said => ({ ...said, at: seconds })
const other: Said = { ...deleted(1), path: { collaborationID: 'c2' } }

test.each<[string, Said[], string[]]>([
  ['nothing before', [added()], ['first']],
  ['another thing before', [added(), at(1, items(give))], ['first']],
  ['accepted before', [added(), at(1, added())], ['after-accepted']],
  ['refused before', [{ ...added(), answer: refusal }, at(1, added())], ['after-refused']],
  [
    'another caller before',
    [{ ...added(), caller: 'hostMember' }, at(1, added())],
    ['after-accepted', 'after-another-caller'],
  ],
  ['the third', [0, 1, 2].map((time) => at(time, added())), ['after-accepted', 'third-or-later']],
  ['a deletion elsewhere', [added(), other, at(2, added())], ['after-accepted', 'after-deletion-elsewhere']],
  [
    'a deletion elsewhere that was refused',
    [added(), { ...other, answer: refusal }, at(2, added())],
    ['after-accepted'],
  ],
  ['its own deletion', [added(), deleted(1), at(2, added())], ['after-accepted']],
  ['another under way', [items(give, moved), at(0.01, added())], ['first', 'beside-another']],
  ['another item', [items(give), items({ ...give, items: 'i3' }, moved, 1)], ['first']],
])('%s', async (_, said, wanted) => {
  expect(await ofLast(...said)).toEqual(wanted)
})
