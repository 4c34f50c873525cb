/** The credential of a recorded request, wherever it stands. It is only compared, never shown. Pure. */
import type { Exchange } from './exchange.ts'

const headers = ['authorization', 'x-esri-authorization', 'cookie']

/** Equal for requests of one caller; empty where none is seen, as in recordings that were cleaned of credentials. */
export function credentialOf({ recorded: { request, form } }: Exchange): string {
  const fields = form.fields.filter(([name]) => name.toLowerCase() === 'token').map(([, value]) => value)
  const found = [...fields, ...headers.map((name) => request.headers[name] ?? '')].filter(
    (value) => value !== '',
  )
  return found.length === 0 ? '' : JSON.stringify(found)
}
