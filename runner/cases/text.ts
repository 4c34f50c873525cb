/**
 * Arbitrary printable text: everything that must come back unchanged, and nothing that the contract leaves open. No
 * control, format, unassigned or private characters, no space at either end, nothing that Unicode normalisation
 * changes, and nothing that a filter may take for an attack.
 */
import fc from 'fast-check'
import { isPrintable } from '../../clauses/texts.ts'

/** Pieces of text by what is delicate about them. Each piece counts equally under every way of counting. */
const alphabets: readonly (readonly string[])[] = [
  [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'],
  // With a letter after each, because several in a row look like an attack.
  [...'&=+%#;?:@!,~-_.'].map((reserved) => `${reserved}k`),
  ['&', '+', '%', '=', '#', ';'].map((reserved) => `q${reserved}m`),
  ['%20', '%2B', '%C3%A9', '%25', '%', '+'],
  [...'éüñøåçßæþÐŁžœÿ'],
  [...'αβγδεζθλξπφψωЖЩЪЫЭЮЯбдфц'],
  [...'אבגדהוזחטיבתثجحخدذرزسشصطعغفقكلمنهوي'],
  [...'漢字仮名交文東京大阪あいうえおかきくけこ한국어서울'],
  [...'กขฃคฅฆงจฉชअआइईउऊएऐओऔकखग'],
  ['x̂', 'q́', 'm̃', 'Ӝ'],
  [...'áàâäãåāăąćčďđéèêëēėęěğíìîïīįıİķļľłńňñóòôöõøōőŕřśšşţťúùûüūůűųŵýÿźžż'],
  [...'άέήίόύώΆΈΉΊΌΎΏёйїєіґўЁЙЇЄІҐЎ'],
  ['हिन्दी', 'நன்றி', 'ไทยนี้', 'বাংলা', 'ខ្មែរ'],
  [...'€£¥§¶©®°±×÷•†‰→≤∞'].map((symbol) => `${symbol}k`),
  ['😀', '🚀', '🀄', '𐍈', '𠀀', '𝄞'],
]

const spaced: fc.Arbitrary<string> = fc.constantFrom(' a', ' 0', ' é', ' 漢')

/** One piece of any alphabet, or a space followed by a letter. */
const piece: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...(alphabets[0] as string[])), weight: 4 },
  ...alphabets.slice(1).map((alphabet) => ({ arbitrary: fc.constantFrom(...alphabet), weight: 2 })),
  { arbitrary: spaced, weight: 2 },
)

/** Texts that become values of another type if a server reads them as JSON. */
export const scalarTexts: readonly string[] = ['42', 'true', 'null']

/** The letters in a range of code points, without those that normalisation changes. */
function lettersFrom(first: number, last: number): string {
  const all = Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at))
  return all.filter((letter) => letter === letter.normalize('NFKC')).join('')
}

/** Texts that every run sends. Each is changed by one common mistake in reading or writing a form. */
export const delicateTexts: readonly string[] = [
  'one two',
  'C++ and x=y',
  'a%41b',
  '100%',
  '20%discount',
  'a&b=c;d#e',
  'Größe café ÿ',
  '漢字 かな',
  'λόγος שלום سلام',
  'हिन्दी நன்றி ไทยนี้ বাংলা',
  lettersFrom(0x00c0, 0x00ff),
  lettersFrom(0x0100, 0x013f),
  lettersFrom(0x0140, 0x017e),
  `άέήίόύώ ${lettersFrom(0x0400, 0x040f)} ${lettersFrom(0x0450, 0x045f)} ґҐ`,
  '€ £ ¥ § ¶ © ® ° ± × ÷ • † ‰ → ≤ ∞',
  'North/South 24/7 km/h',
  'ROADS OF THE NORTH',
  'x̂ q́',
  'rocket 🚀 𠀀 🇳🇴',
  '#7 R&D + Q&A',
  'from $$5 & $& on',
  'Élan first',
  'x and y=',
  'first; second;',
  'Parts; all that comes behind a semicolon or a # in a longer text',
  '007',
  '‘single’ “double” – dash',
  "The city's roads (north), no. 7 *draft*",
  'v2 [final] a^b c_d~e?',
  'Cost $1 each, 100%% done',
]

/** Filters count signs that are no letter, digit or space. Some refuse texts with a dozen or more. */
const mostSigns = 10
const signsIn = (text: string): number => text.match(/[!-/:-@[-`{-~]/g)?.length ?? 0

/** Joins texts into as few texts as possible, each of at most `most` characters. */
export function joinedTexts(texts: readonly string[], most: number): string[] {
  const joined: string[] = []
  for (const text of texts) {
    const longer = joined.findIndex(
      (begun) =>
        begun.length + 1 + text.length <= most &&
        signsIn(begun + text) <= mostSigns &&
        isPrintable(`${begun} ${text}`),
    )
    if (longer < 0) joined.push(text)
    else joined[longer] += ` ${text}`
  }
  return joined
}

/** Characters that every way of counting counts as one, except bytes. */
const plainCharacters = [...'axZ09éüßжщλΩאש漢字あ한กक']

/** Text of 1 to `limit` characters by every way of counting except bytes: UTF-16 units give the largest number. */
export function printableText(limit: number): fc.Arbitrary<string> {
  const pieces = fc
    .array(piece, { minLength: 1, maxLength: Math.min(limit, 40), size: 'max' })
    .map((parts) => cut(parts, limit))
  return fc
    .oneof(
      { arbitrary: pieces, weight: 5 },
      { arbitrary: fc.integer({ min: 1, max: limit }).chain((length) => textOfLength(length)), weight: 1 },
      {
        arbitrary: fc.constantFrom(limit, Math.max(1, limit - 1)).chain((length) => textOfLength(length)),
        weight: 2,
      },
    )
    .filter((text) => text.length > 0 && text.length <= limit && isPrintable(text))
}

/** Text of exactly that many characters, in one or several scripts, without astral or combining characters. */
export const textOfLength = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...plainCharacters), {
      minLength: Math.min(length, 12),
      maxLength: Math.min(length, 12),
      size: 'max',
    })
    .map((characters) =>
      characters
        .join('')
        .repeat(Math.ceil(length / characters.length))
        .slice(0, length),
    )

/** The first pieces that fit, without a trailing space. */
function cut(parts: readonly string[], limit: number): string {
  let text = ''
  for (const part of parts) {
    if (text.length + part.length > limit) break
    text += part
  }
  return text.trim()
}
