/** A command line that a reader can copy. */
import { safeText } from '../safe-text.ts'
import { html, type Markup } from './markup.ts'

/** A longer command does not help at a prompt: it stands in results.json. */
const longestCommand = 6000

/** The command on one line, with a button; without a script it is there to be selected. */
export function command(name: string, line: string): Markup {
  if (line === '') return html``
  if (line.length > longestCommand) {
    return html`<p class="line"><small>The ${name} line has ${line.length} characters: results.json holds it.</small></p>`
  }
  // One line whatever it holds: a line end that is pasted would start what comes before it.
  return html`<div class="command"><span class="label">${name}</span><code tabindex="0" role="group" aria-label="The ${name} line">${safeText(line)}</code><button type="button" class="copy" aria-label="Copy the ${name} line">Copy</button></div>`
}
