/** Every notation in which a target may repeat a text. */
import { encodeForm } from '../http/outgoing-request.ts'

const hex = (character: string, length: number) => character.charCodeAt(0).toString(16).padStart(length, '0')
const each = (text: string, write: (character: string) => string) => [...text].map(write).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)

export const notations: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'as JSON': json,
  'as JSON within JSON': (text) => json(json(text)),
  'as JSON with escaped signs': (text) => json(text).replace(/[@+/=-]/g, (sign) => `\\u${hex(sign, 4)}`),
  'as JSON escapes': (text) => each(text, (character) => `\\u${hex(character, 4)}`),
  'as JSON escapes within JSON': (text) => each(text, (character) => `\\\\u${hex(character, 4)}`),
  'percent-encoded': encodeURIComponent,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as JSON, percent-encoded': (text) => encodeURIComponent(json(text)),
  'as JSON escapes, percent-encoded': (text) =>
    encodeURIComponent(each(text, (character) => `\\u${hex(character, 4)}`)),
  'as a form': (text) => encodeForm([['', text]]).slice(1),
  'as a form in lower case': (text) => encodeForm([['', text]], { escapes: 'lower', space: '%20' }).slice(1),
  'as a form with every character escaped': (text) => encodeForm([['', text]], { safe: 'escaped' }).slice(1),
  'as HTML': (text) => text.replace(/[@+/&<>"'-]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  'as HTML in hexadecimal, escaped again': (text) =>
    each(text, (character) => `&amp;#x${hex(character, 2)};`),
}
