/** HTML that escapes by itself: whatever text is put into it is made safe, so that no part can forget to. And the frame of a page. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { raw, html as tagged } from 'hono/html'
import { safeLines, safeText } from '../safe-text.ts'

/** Finished HTML. */
export interface Markup {
  readonly isEscaped: true
  toString(): string
}

type Value = string | number | undefined | Markup | readonly Value[]

const harmless = /^[\x20-\x7e]*$/

/** Template tag: texts are escaped, and what could mislead a reader (control, direction marks) is spelt out. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return tagged(parts, ...values.map(shown)) as unknown as Markup
}

function shown(value: Value): Value {
  if (typeof value === 'string') return harmless.test(value) ? value : safeLines(value).join('\n')
  return Array.isArray(value) ? value.map(shown) : value
}

/** Only for constants of this project that hold no text from elsewhere. */
export function constant(text: string): Markup {
  return raw(text) as unknown as Markup
}

/** The name under which a requirement or a check can be linked to. */
export function anchorOf(id: string): string {
  return safeText(id).replace(/\s/g, '_')
}

/** The address within the page of a requirement or a check. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(anchorOf(id)).replaceAll('%2F', '/').replaceAll('%3A', ':')}`
}

/** What the list of requirements can be narrowed to. */
export interface Filter {
  readonly outcome?: string
  readonly level?: string
  readonly operation?: string
  readonly kind?: string
}

/** The name of a filter: without a script it leads to the first place that shows what it names. */
export function filterAnchor(filter: Filter): string {
  const named = Object.entries(filter).map(([name, value]): [string, string] => [
    name,
    safeText(String(value)),
  ])
  return new URLSearchParams(named).toString()
}

/** The text up to this many characters, with the number of all where it was longer. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}… (${text.length} characters in all; results.json holds them)`
}

/** Stands beside this file, also where it is compiled. */
const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const style = beside('page-style.css')
const script = beside('page-script.js')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is allowed but the two texts above, each by its digest. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

interface Page {
  /** What the window is called, and what stands at the top. */
  readonly title: string
  readonly heading: string
  readonly content: Iterable<Markup>
  readonly foot: string
  /** The part that a keyboard can skip to, by its id. */
  readonly skipTo?: string
}

/** A page in pieces. */
export function* page({ title, heading, content, foot, skipTo = 'content' }: Page): Generator<string> {
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="portal-conformance">
<title>${title}</title>
<style>${constant(style)}</style>
<script>${constant(script)}</script>
</head>
<body>
<a class="skip" href="#${skipTo}">To the ${skipTo}</a>
<header><h1>${heading}</h1><button type="button" id="theme" aria-pressed="false">Dark</button></header>
<main id="content">
`.toString()
  for (const piece of content) yield piece.toString()
  yield html`</main>
<footer><p>${foot}</p></footer>
<p class="away" id="said" role="status"></p>
</body>
</html>
`.toString()
}
