/** Bodies of several parts, taken apart by hand. */

export interface Part {
  readonly name: string
  /** A file where it has a name. */
  readonly filename?: string
  readonly content: Buffer
}

/** The parts of a body of type multipart/form-data; none where it is another type. */
export function partsOf(body: Buffer, contentType = ''): Part[] {
  const boundary = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (boundary === null) return []
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`)
  const found: Part[] = []
  for (let from = body.indexOf(delimiter); from >= 0; ) {
    const begin = from + delimiter.length
    const to = body.indexOf(delimiter, begin)
    if (to < 0) break
    // Between the line break after one delimiter and the one before the next.
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
