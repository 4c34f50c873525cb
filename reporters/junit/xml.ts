/** XML in pieces: what XML 1.0 cannot hold is shown as an escape, and what consumers obey in texts is broken up. */
import { XMLBuilder } from 'fast-xml-parser'
import { safeLines, safeText } from '../safe-text.ts'

/** Attributes begin with `@`; `#text` is the text. */
export type Element = { readonly [name: string]: string | Element | readonly Element[] }

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressBooleanAttributes: false,
  format: true,
})

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The element as text. Its texts must have come through `xmlText` or `xmlLine`. */
export function element(name: string, content: Element): string {
  return builder.build({ [name]: content })
}

/** The start tag alone, for an element whose content is written later. */
export function startTag(name: string, attributes: Element): string {
  return element(name, attributes).replace(new RegExp(`</${name}>\\n$`), '\n')
}

export const endTag = (name: string): string => `</${name}>\n`

/** A text of several lines. */
export function xmlText(text: string): string {
  return withoutMarkers(escaped(safeLines(text).join('\n')))
}

/** A text on one line, as attributes need it. */
export function xmlLine(text: string): string {
  return withoutMarkers(escaped(safeText(text)))
}

// Controls and halves of surrogate pairs are gone already.
const escaped = (text: string): string =>
  text.replace(/[\ufffe\uffff]/g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)

// CI servers read files that such a marker names, and take properties from it.
const withoutMarkers = (text: string): string =>
  text.replace(/\[(?=\[\s*\/?\s*(?:attachment|property)\b)/gi, '[ ')
