/**
 * Parses request bodies without a library, because the portal must not share a parser with the suite that judges it.
 */

export type Pairs = readonly (readonly [name: string, value: string])[]

/** The parameters of a request, in the order of the body. */
export class Form {
  readonly pairs: Pairs

  constructor(pairs: Pairs) {
    this.pairs = pairs
  }

  /** The first value of this parameter. */
  get(name: string): string | undefined {
    return this.pairs.find(([each]) => each === name)?.[1]
  }

  /** A copy in which this parameter has another value wherever it occurs. */
  with(name: string, value: string): Form {
    return new Form(this.pairs.map((pair) => (pair[0] === name ? ([name, value] as const) : pair)))
  }

  getAll(name: string): string[] {
    return this.pairs.filter(([each]) => each === name).map(([, value]) => value)
  }
}

const hex = /^[0-9a-fA-F]{2}$/

/** The bytes of a Latin-1 text after percent-decoding. Invalid escapes stay unchanged. */
export function unescapeBytes(raw: string): Buffer {
  const bytes: number[] = []
  for (let at = 0; at < raw.length; at++) {
    const digits = raw[at] === '%' ? raw.slice(at + 1, at + 3) : ''
    if (digits !== '' && hex.test(digits)) {
      bytes.push(Number.parseInt(digits, 16))
      at += 2
    } else {
      bytes.push(raw.charCodeAt(at))
    }
  }
  return Buffer.from(bytes)
}

const plain = /^[A-Za-z0-9._~*,:/@-]*$/

/** Decodes one name or value of a form: `+` is a space, percent-escapes and raw bytes are UTF-8. */
export function decodeText(raw: string): string {
  return plain.test(raw) ? raw : unescapeBytes(raw.replaceAll('+', ' ')).toString('utf8')
}

/** Parses a form. `decode` gets each name and value as raw bytes in Latin-1. */
export function parseForm(body: Buffer, decode: (raw: string) => string = decodeText): Pairs {
  const pairs: [string, string][] = []
  for (const part of body.toString('latin1').split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    pairs.push(
      equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))],
    )
  }
  return pairs
}

/** Whether the content type is that of a form. Case and parameters do not matter. */
export function isForm(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
}

interface Part {
  readonly name: string
  /** Present: the part is a file. */
  readonly filename?: string
  readonly content: Buffer
}

/** The parts of a multipart/form-data body. Empty for other content types. */
export function partsOf(body: Buffer, contentType = ''): Part[] {
  const boundary = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (boundary === null) return []
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`)
  const found: Part[] = []
  for (let from = body.indexOf(delimiter); from >= 0; ) {
    const begin = from + delimiter.length
    const to = body.indexOf(delimiter, begin)
    if (to < 0) break
    // Each delimiter has a line break (CRLF) on both sides.
    const part = partIn(body.subarray(begin + 2, to - 2))
    if (part !== undefined) found.push(part)
    from = to
  }
  return found
}

function partIn(bytes: Buffer): Part | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.subarray(0, end).toString('utf8')
  const disposition = /^content-disposition:.*$/im.exec(head)?.[0] ?? ''
  const name = /[;\s]name="([^"]*)"/i.exec(disposition)?.[1]
  const filename = /[;\s]filename="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) return undefined
  return { name, content: bytes.subarray(end + 4), ...(filename === undefined ? {} : { filename }) }
}
