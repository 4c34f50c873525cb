/** Undoes gzip, deflate and brotli, with a bound on what comes out. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'

/** Why a body could not be decoded: too much came out, or the stream is broken. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError'
  readonly fault: 'too-large' | 'truncated'

  constructor(fault: DecodingError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}

const mostEncodings = 4
// The compression method in a zlib header.
const deflated = 8

/**
 * The body behind its content encodings, of at most `limit` bytes. An encoding that was never asked for leaves the
 * body as it came. Throws a DecodingError.
 */
export function decodeContent(body: Buffer, header: string | string[] | undefined, limit: number): Buffer {
  if (header === undefined || body.length === 0) return body
  const encodings = String(header)
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
  if (encodings.length > mostEncodings) return body
  return encodings.reduceRight((decoded, encoding) => decodeOne(decoded, encoding, limit), body)
}

function decodeOne(body: Buffer, encoding: string, limit: number): Buffer {
  const options: ZlibOptions = { maxOutputLength: Math.max(limit, 1) }
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, options)
    if (encoding === 'br') return brotliDecompressSync(body, options)
    if (encoding === 'deflate')
      return hasZlibHeader(body) ? inflateSync(body, options) : inflateRawSync(body, options)
    return body
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new DecodingError('too-large', `decodes from ${encoding} to more than ${limit} bytes`)
    }
    throw new DecodingError('truncated', `is a broken or incomplete ${encoding} stream`)
  }
}

// "deflate" means the zlib format, but servers also send the bare stream.
function hasZlibHeader(body: Buffer): boolean {
  const first = body[0]!
  return (first & 0x0f) === deflated && ((first << 8) | (body[1] ?? 0)) % 31 === 0
}
