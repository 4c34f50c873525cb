/** Renders answers of the portal in the format that a request asks for. */
import { html } from 'hono/html'
import type { Answer, Arrival, Rendered } from './parts.ts'

/** The valid values of `f`. */
export const formats: readonly string[] = ['html', 'json', 'pjson']

/** The value of `f` in the form or the query. Default: html. */
export function formatOf({ form, query }: Pick<Arrival, 'form' | 'query'>): string {
  return form.get('f') ?? query.get('f') ?? 'html'
}

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string => String(html`${text}`)

/** An answer with an HTML page. */
export const asHtml = (status: number, page: string): Rendered => ({
  status,
  headers: { 'content-type': 'text/html;charset=utf-8' },
  body: Buffer.from(page),
})

/** A page that shows an object as JSON. */
export function asPage(status: number, title: string, body: unknown): Rendered {
  const shown = escapeHtml(JSON.stringify(body, null, 2))
  return asHtml(
    status,
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><pre>${shown}</pre></body></html>\n`,
  )
}

/** Renders an answer of a conforming portal. Refusals also have HTTP 200, with the error in the body. */
export function renderAnswer({ status, body, refused }: Answer, arrival: Arrival): Rendered {
  const format = formatOf(arrival)
  if (format !== 'json' && format !== 'pjson')
    return asPage(status, refused === undefined ? 'Done' : 'Error', body)
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: Buffer.from(JSON.stringify(body, null, format === 'pjson' ? 2 : undefined)),
  }
}

/** Writes an answer in one piece. */
export function sendWhole({ status, headers, body }: Rendered, { response }: Arrival): void {
  if (response.destroyed) return
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}
