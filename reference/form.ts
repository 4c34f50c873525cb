/**
 * Parses forms without a library, because the portal must not share a parser with the suite that judges it. The contract
 * says nothing of multipart bodies.
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

/** A file in a multipart body. */
export interface ReceivedFile {
  readonly filename: string
  readonly content: Buffer
}

/** The texts and files of a multipart/form-data body. None if the body is not one. */
export async function partsOf(body: Buffer, contentType: string) {
  const headers = { 'content-type': contentType }
  const parts = /^multipart\/form-data\b/i.test(contentType)
    ? await new Response(body, { headers }).formData().catch(() => new FormData())
    : []
  const texts: [string, string][] = []
  const files = new Map<string, ReceivedFile>()
  for (const [name, value] of parts)
    if (typeof value === 'string') texts.push([name, value])
    else files.set(name, { filename: value.name, content: Buffer.from(await value.arrayBuffer()) })
  return { texts, files }
}
