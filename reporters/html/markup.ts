/** HTML that escapes each text by default, so that no part of a page can forget to. Also the frame of a page. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { raw, html as tagged } from 'hono/html'
import { safeText } from '../../schemas/wording.ts'
import { safeLines } from '../safe-text.ts'

/** Finished HTML. */
export interface Markup {
  readonly isEscaped: true
  toString(): string
}

type Value = string | number | undefined | Markup | readonly Value[]

const harmless = /^[\x20-\x7e]*$/

/** Template tag: escapes texts, and spells out characters that could mislead a reader (control characters, direction marks). */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return tagged(parts, ...values.map(shown)) as unknown as Markup
}

function shown(value: Value): Value {
  if (typeof value === 'string') return harmless.test(value) ? value : safeLines(value).join('\n')
  return Array.isArray(value) ? value.map(shown) : value
}

/** Only for constants of this project without foreign text. */
export function constant(text: string): Markup {
  return raw(text) as unknown as Markup
}

/** The anchor of a requirement or a check. */
export function anchorOf(id: string): string {
  return safeText(id).replace(/\s/g, '_')
}

/** The link to a requirement or a check on the same page. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(anchorOf(id)).replaceAll('%2F', '/').replaceAll('%3A', ':')}`
}

/** The name of a filter of the list of requirements. Without scripts it links to the first matching entry. */
export function filterAnchor(filter: Partial<Record<'outcome' | 'operation' | 'kind', string>>): string {
  const named = Object.entries(filter).map(([name, value]): [string, string] => [name, safeText(value)])
  return new URLSearchParams(named).toString()
}

/** The file is beside this one, also when compiled. */
const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const style = beside('page-style.css')
const script = beside('page-script.js')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only the style and the script above are allowed, each by its digest. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

interface Page {
  /** The title of the window and of the page. */
  readonly title: string
  readonly heading: string
  readonly content: Iterable<Markup>
  readonly foot: string
  /** The id of the part that the skip link leads to. */
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
<header><h1>${heading}</h1></header>
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
