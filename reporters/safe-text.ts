/** Text from a target may hold what a terminal or Markdown obeys, or what misleads a reader: nothing of that kind gets through. */
import { safeText } from '../schemas/wording.ts'

/** The lines of a text, each of them safe; a tab counts as two spaces. */
export function safeLines(text: string): string[] {
  return text.split(/\r\n|\n/).map((line) => safeText(line.replaceAll('\t', '  ')))
}

/** Longer texts are cut in Markdown. */
const longestText = 2000

// GitHub makes links of these after Markdown is done, so that a backslash does not help; in code it leaves them alone.
const linking = String.raw`[@#]|:\/\/|www\.|\bGH-|\b[0-9a-f]{7,40}\b`
// What Markdown, HTML or mathematics could begin with.
const marking = String.raw`[&<>]|[\\\`*_{}[\]|~$!]`
// What makes a list, a quotation or a heading where it begins a line.
const beginning = String.raw`^(?:[-+=:]|\d+[.)](?=\s|$))`
const withinLine = new RegExp(`(${linking})|(${marking})`, 'gi')
const inLine = new RegExp(`(${linking})|(${marking})|(${beginning})`, 'gi')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A text on one line, as it reads. */
export function prose(text: string): string {
  return withoutMarkup(safeText(bounded(text)).trim(), inLine)
}

/** A text that goes on in a line that has begun, as it reads. */
export function proseWithin(text: string): string {
  return withoutMarkup(safeText(bounded(text)), withinLine)
}

function withoutMarkup(text: string, special: RegExp): string {
  return text.replace(special, (found: string, link?: string, mark?: string) => {
    if (link !== undefined) return `<code>${link}</code>`
    if (mark !== undefined) return entities[mark] ?? `\\${mark}`
    return `${found.slice(0, -1)}\\${found.at(-1)}`
  })
}

/** A name or an address: a span of code on one line. */
export function code(text: string): string {
  const safe = safeText(bounded(text))
  const ticks = '`'.repeat(longestRun(safe) + 1)
  const padded = /^[` ]|[` ]$/.test(safe) || safe === '' ? ` ${safe} ` : safe
  return `${ticks}${padded}${ticks}`
}

/** A block of code whose fence is longer than any run of backticks in it. */
export function fenced(text: string, language = 'text'): string {
  const lines = safeLines(text).join('\n')
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

/** The text, cut to this many characters. A cut text ends with its full length. */
export function bounded(text: string, most = longestText): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}… (${text.length} characters in all; results.json holds them)`
}
