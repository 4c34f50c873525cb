/** One exchange as a reader sees it: what was sent, what came, and a command that repeats it. */
import type { Evidence } from '../../target/http/exchange.ts'
import type { Sheet } from './sheet.ts'

const mostBodyLines = 10
/** The form stands in the curl line, too, and its case above it. */
const mostFormLines = 4
/** A longer command does not help at a prompt: it stands in results.json. */
const longestCommand = 4000

/** Writes the last of several exchanges: the one that the finding rests on. */
export function writeExchanges(sheet: Sheet, indent: number, exchanges: readonly Evidence[]): void {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return
  const { request, response, error, curl } = exchange
  const earlier = exchanges.length - 1
  const others = earlier === 0 ? '' : ` (the last of ${exchanges.length}; results.json holds all)`
  sheet.labelled(indent, { text: 'Request:', format: 'dim' }, `${request.method} ${request.url}${others}`)
  if (request.body !== '') sheet.block(indent + 2, request.body, mostFormLines)
  if (response !== undefined) {
    const type = response.headers['content-type']
    const head = `HTTP ${response.status} after ${Math.round(response.durationMs)} ms${type === undefined ? '' : `, ${type}`}`
    sheet.labelled(indent, { text: 'Answer:', format: 'dim' }, head)
    if (response.body !== '') sheet.block(indent + 2, response.body, mostBodyLines)
  } else {
    sheet.labelled(indent, { text: 'Answer:', format: 'dim' }, `none: ${error ?? 'no complete answer came'}`)
  }
  if (curl.length <= longestCommand) sheet.command(indent, curl)
  else sheet.text(indent, `(the curl line has ${curl.length} characters; results.json holds it)`, 'dim')
}
