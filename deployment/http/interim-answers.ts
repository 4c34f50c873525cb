/** Takes interim answers (HTTP 1xx) off a connection: some servers send them unasked, and undici ends the connection for a 100. */
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

/** What the head of an interim answer begins with; 101 is none: it changes the protocol. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/
const statusLine = 'HTTP/1.1 100 '.length
/** A head that goes on for longer is left to whom it was meant for, in bytes. */
const longestHead = 16 * 1024

/** A connector as undici makes it, whose connections bring only what is meant to stay. */
export function connectorWithoutInterim(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, callback) =>
    connect(to, (...outcome) => {
      const [error, socket] = outcome
      if (error === null && (socket as { alpnProtocol?: string }).alpnProtocol !== 'h2') skipInterim(socket)
      callback(...outcome)
    })
}

/** An answer begins after each request that is written: only there is looked. */
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

/** The bytes after all interim answers at their beginning; undecided where more must come to tell. */
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
