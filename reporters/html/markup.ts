/** HTML that escapes by itself: whatever text is put into it is made safe, so that no part can forget to. */
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

/** `1 check`, `2 checks`. */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** The text up to so many characters, with the number of all where it was longer. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}… (${text.length} characters in all; results.json holds them)`
}

/** A duration as people read it: `12 ms`, `5.1 s`, `2 min 5 s`. */
export function durationOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
