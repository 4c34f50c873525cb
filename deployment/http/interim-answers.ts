/** Leaves out interim answers (1xx), which a target may send before any answer (RFC 9110, 15.2). undici breaks at a 100. */
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/** The start of an interim answer. 101 is none: it changes the protocol. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/
const statusLine = 'HTTP/1.1 100 '.length
/** A longer head is left to undici, in bytes. */
const longestHead = 16 * 1024

/** Connections as that connector makes them, without interim answers. */
export const withoutInterimAnswers =
  (connect: buildConnector.connector): buildConnector.connector =>
  (to, callback) =>
    connect(to, (...outcome) => {
      const [error, socket] = outcome
      if (error === null) skipInterim(socket)
      callback(...outcome)
    })

/** An interim answer can only come at the start, after a request was written. */
function skipInterim(socket: Socket): void {
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  const read = socket.read.bind(socket)
  let atStart = false
  let held: Buffer | undefined
  socket.write = ((...given: unknown[]) => {
    atStart = true
    return write(...given)
  }) as Socket['write']
  socket.read = (size?: number): unknown => {
    for (;;) {
      const chunk = read(size) as Buffer | null
      if (!atStart || chunk === null) return chunk
      const rest = withoutInterim(held === undefined ? chunk : Buffer.concat([held, chunk]))
      held = rest.undecided ? rest.bytes : undefined
      atStart = rest.undecided || rest.bytes.length === 0
      if (!atStart) return rest.bytes
    }
  }
}

/** The bytes after all interim answers. Undecided: more bytes are needed to tell. */
function withoutInterim(bytes: Buffer): { bytes: Buffer; undecided: boolean } {
  let rest = bytes
  while (rest.length > 0) {
    const start = rest.subarray(0, statusLine).toString('latin1')
    if (!interim.test(start)) {
      return { bytes: rest, undecided: rest.length < statusLine && couldBegin(start) }
    }
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { bytes: rest, undecided: rest.length <= longestHead }
    rest = rest.subarray(end + 4)
  }
  return { bytes: rest, undecided: false }
}

const couldBegin = (start: string): boolean =>
  ['HTTP/1.0 1', 'HTTP/1.1 1'].some((head) => head.startsWith(start.slice(0, head.length)))
