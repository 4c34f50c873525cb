/** HTML that escapes by itself: whatever text is put into it is made safe, so that no part can forget to. And the frame of a page. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { raw, html as tagged } from 'hono/html'
import type { Outcome } from '../../specs/outcomes.ts'
import { safeLines, safeText } from '../safe-text.ts'
import { outcomeWords } from '../wording.ts'

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

/** The text up to so many characters, with the number of all where it was longer. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}… (${text.length} characters in all; results.json holds them)`
}

/** The outcome in colour, with its sign and its word. The sign is left to the eye: the word says the same. */
export function outcomeBadge(outcome: Outcome): Markup {
  const { sign, word } = outcomeWords[outcome]
  return html`<span class="o ${outcome}"><i aria-hidden="true">${sign}</i> ${word}</span>`
}

/** A link to a requirement or a check of the page. */
export function idLink(id: string): Markup {
  return html`<a href="${linkTo(id)}">${id}</a>`
}

/** A wide table in the section of that id. Who has no pointer scrolls what can take the focus. */
export function scrollTable(
  id: string,
  kind: string,
  heads: readonly Value[],
  rows: readonly Markup[],
): Markup {
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}"><table class="${kind}">
<thead><tr>${headCells(heads)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** The heads of columns. */
export function headCells(heads: readonly Value[]): Markup {
  return html`${heads.map((head) => html`<th scope="col">${head}</th>`)}`
}

/** The things with commas between them. */
export function listed(things: readonly (string | Markup)[]): Markup {
  return html`${things.map((thing, at) => html`${at === 0 ? '' : ', '}${thing}`)}`
}

/** Links to requirements or checks, and how many more there are. */
export function links(ids: readonly string[], most: number): Markup {
  const left = ids.length - most
  return html`${listed(ids.slice(0, most).map(idLink))}${left > 0 ? ` and ${left} more` : ''}`
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

/** The start of the document, up to the start of its body, which begins with a link to the part `#requirements`. */
export function pageStart(title: string, toRequirements: string): Markup {
  return html`<!doctype html>
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
<a class="skip" href="#requirements">${toRequirements}</a>
`
}

/** The end of the document, with what stands at its foot. */
export function pageEnd(foot: string): Markup {
  return html`<footer><p>${foot}</p></footer>
<p class="away" id="said" role="status"></p>
</body>
</html>
`
}
