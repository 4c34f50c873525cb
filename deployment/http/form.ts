/** application/x-www-form-urlencoded in UTF-8, as the WHATWG URL standard defines it. */

export type FormField = readonly [name: string, value: string]

/** Notations of one and the same form. Absent members: what the WHATWG serializer writes. */
export interface FormStyle {
  readonly space?: '+' | '%20'
  /** Case of the hex digits in percent-escapes. */
  readonly escapes?: 'upper' | 'lower'
  /** `plain`: ! ~ ' ( ) are left plain as well; `escaped`: letters, digits and * - . _ are percent-escaped as well. */
  readonly safe?: 'plain' | 'escaped'
  readonly order?: 'given' | 'reversed' | 'rotated'
}

const plainText = /^[\w*.-]*$/
const ascii = /^[\0-\x7f]*$/
const escapedBeyondUriComponents = /[!'()~]/g

/** The form body of the fields. Throws where a text holds a lone surrogate, which UTF-8 cannot carry. */
export function encodeForm(fields: readonly FormField[], style: FormStyle = {}): string {
  const pairs = ordered(fields, style.order).map(
    ([name, value]) => `${encodeText(name, style)}=${encodeText(value, style)}`,
  )
  return pairs.join('&')
}

/** The fields of a form body. Throws where the escapes do not decode to UTF-8. */
export function decodeForm(body: string): FormField[] {
  return body
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0
        ? [decodeText(pair), '']
        : [decodeText(pair.slice(0, equals)), decodeText(pair.slice(equals + 1))]
    })
}

function ordered(fields: readonly FormField[], order: FormStyle['order']): readonly FormField[] {
  if (order === 'reversed') return fields.toReversed()
  if (order === 'rotated') return [...fields.slice(1), ...fields.slice(0, 1)]
  return fields
}

function encodeText(text: string, style: FormStyle): string {
  if (style.safe === 'escaped') return escapeAll(text, style)
  if (plainText.test(text)) return text
  let encoded = encodeWellFormed(text)
  if (style.safe !== 'plain') encoded = encoded.replace(escapedBeyondUriComponents, escapeCharacter)
  if (style.space !== '%20') encoded = encoded.replaceAll('%20', '+')
  return style.escapes === 'lower' ? lowerEscapes(encoded) : encoded
}

function escapeAll(text: string, style: FormStyle): string {
  encodeWellFormed(text)
  let encoded = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const space = byte === 0x20 && style.space !== '%20'
    encoded += space ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return style.escapes === 'lower' ? lowerEscapes(encoded) : encoded
}

function encodeWellFormed(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Error('A form field holds a lone surrogate: it cannot be sent as UTF-8.')
  }
}

const escapeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const lowerEscapes = (encoded: string) => encoded.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase())

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeText(encoded: string): string {
  if (plainText.test(encoded)) return encoded
  if (ascii.test(encoded)) {
    try {
      return decodeURIComponent(encoded.replaceAll('+', ' '))
    } catch {
      // A percent sign that begins no escape stands for itself; anything else is told below.
    }
  }
  return decodeBytes(encoded)
}

function decodeBytes(encoded: string): string {
  // One character is one byte here: what is not escaped is UTF-8 already.
  const bytes = Buffer.from(encoded.replaceAll('+', ' '), 'utf8').toString('latin1')
  const decoded = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return strictUtf8.decode(Buffer.from(decoded, 'latin1'))
  } catch {
    throw new Error('The form holds escapes that are not valid UTF-8.')
  }
}
