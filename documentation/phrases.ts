/** Phrases that read as translated, each with what to write instead. */

export interface Phrase {
  readonly pattern: RegExp
  readonly instead: string
}

/** A lone "the same", as in "does the same for"; "is the same as" and "the same portal" are plain English. */
const theSame =
  /(?<!\b(?:is|are|be|was|were|stays?|remains?|reports) )\bthe same\b(?=[.,;:)]|$| (?:for|of|holds|goes|where|with)\b)/i

const phrases: readonly Phrase[] = [
  { pattern: /\bso many\b/i, instead: 'a number, or "this many"' },
  { pattern: /\bas many\b/i, instead: '"the same number", or the number' },
  { pattern: /\btold\b/i, instead: '"reported", "said", "distinguished"; "inconclusive" for a check' },
  { pattern: /\btells\b/i, instead: '"reports", "says", "distinguishes"' },
  { pattern: /\bonce more\b/i, instead: '"again", "retry"' },
  { pattern: /\bin vain\b/i, instead: '"without success", "failed"' },
  { pattern: /\bleft in peace\b/i, instead: '"without findings", "passes"' },
  { pattern: /\bwhat becomes of\b/i, instead: '"what happens to", "the outcome of"' },
  { pattern: /\bis looked at\b/i, instead: '"is checked"' },
  { pattern: /\bwhoever\b/i, instead: 'the caller, by name' },
  { pattern: /\bnobody\b/i, instead: '"no caller", "no one", "anonymous"' },
  {
    pattern: /(?<!\b(?:each|one|none|some|any|all|most|both) )\bof which\b/i,
    instead: '"whose", or a second sentence',
  },
  { pattern: /\bby turns\b/i, instead: '"alternately"' },
  { pattern: /\bput off\b/i, instead: '"throttled", "delayed"' },
  { pattern: /\bno more than that\b/i, instead: '"only that"' },
  { pattern: theSame, instead: 'the noun: "the same request", or "also"' },
  { pattern: /\bsuch a one\b/i, instead: 'the noun' },
  { pattern: /\bas far as\b/i, instead: '"where", "up to", "until"' },
  {
    pattern:
      /\btold[A-Z]|Told|[Ss]ayings\b|[Ss]urroundings\b|[Oo]nlookers?\b|[Bb]ackstage|[Ww]orkshop|\bMaking[A-Z]/,
    instead: 'a name that a colleague would guess',
  },
  {
    pattern: /\w+Alike\b|\balike(?:[A-Z]|\.ts)|what-is-made|\bcast\b/,
    instead: 'a name that a colleague would guess',
  },
]

/** Files with other people's words, or with the phrases themselves. */
const notOurs =
  /^package-lock\.json$|^documentation\/phrases|\.(ico|png|svg|har|jar|pem)$|realistic-values\.json$/

/** Whether the lint reads a file, named from the root of the checkout. */
export const isChecked = (file: string): boolean => file !== '' && !notOurs.test(file)

/** A line that holds a phrase. */
export interface Hit {
  readonly line: number
  readonly found: string
  readonly instead: string
}

/** The phrases in a text, in its order. */
export function phrasesIn(text: string): Hit[] {
  return text.split('\n').flatMap((line, at) =>
    phrases.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)?.[0]
      return found === undefined ? [] : [{ line: at + 1, found, instead }]
    }),
  )
}
