/** A form body as its fields, decoded, one under the other, with marks on what is at fault. */
import { decodeForm, type FormField } from '../../target/http/form.ts'
import { bounded, html, type Markup } from './markup.ts'

const mostFields = 100
const longestValue = 2000

/** From this length on the number of characters is said: limits are about it. */
const longValue = 40

/** The fields, and those marked that were not sent; undefined where the body is no form. */
export function formMarkup(body: string, marked: readonly string[]): Markup | undefined {
  const fields = fieldsOf(body)
  if (fields === undefined) return undefined
  const sent = new Set(fields.map(([name]) => name))
  const left = fields.length - mostFields
  return html`<dl class="form">${fields.slice(0, mostFields).map(([name, value]) => field(name, value, marked))}${marked
    .filter((name) => !sent.has(name))
    .map((name) => html`<div><dt><mark>${name}</mark></dt><dd><em>not sent</em></dd></div>`)}${
    left > 0 ? html`<div><dt>…</dt><dd>${left} more: results.json holds them</dd></div>` : undefined
  }</dl>`
}

function fieldsOf(body: string): FormField[] | undefined {
  if (!/^[^\s=&]+=[^\s]*/.test(body)) return undefined
  return body.split('&').flatMap((pair) => {
    try {
      return decodeForm(pair)
    } catch {
      // What does not decode was sent so on purpose, or was cut: it is shown as it went.
      const [name = '', ...rest] = pair.split('=')
      return [[name, rest.join('=')]] as FormField[]
    }
  })
}

function field(name: string, value: string, marked: readonly string[]): Markup {
  const characters = [...value].length
  const shown = value === '' ? html`<em>empty</em>` : html`<code>${bounded(value, longestValue)}</code>`
  const length = characters < longValue ? undefined : html` <small>${characters} characters</small>`
  return marked.includes(name)
    ? html`<div><dt><mark>${name}</mark></dt><dd><mark>${shown}</mark>${length}</dd></div>`
    : html`<div><dt>${name}</dt><dd>${shown}${length}</dd></div>`
}

/** A text with every occurrence of the words marked. */
export function withMarks(text: string, words: readonly string[]): Markup {
  const wanted = words
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (wanted.length === 0) return html`${text}`
  const parts = text.split(new RegExp(`(${wanted.join('|')})`))
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`
}
