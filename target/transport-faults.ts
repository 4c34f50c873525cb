/** From the errors of sockets, TLS and the HTTP parser to the faults that reports name. */
import type { TransportFault } from './exchange.ts'

/** What is known of an exchange when its connection fails. */
export interface Progress {
  readonly secure: boolean
  /** The request was handed to a connection. */
  readonly started: boolean
  /** The head of the answer has come. */
  readonly answering: boolean
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EADDRNOTAVAIL: 'the address is not available',
}

const tlsCode =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/

/** The fault, and what happened in a few words without anything from the request. */
export function classify(error: Error, progress: Progress): [fault: TransportFault, what: string] {
  const code = codeOf(error)
  const known = unreachable[code]
  if (known) return ['unreachable', `${known} (check the base URL, and that the service is up)`]
  if (tlsCode.test(code))
    return ['tls', `TLS failed (${code}); http.ca names a certificate authority to trust`]
  if (code === 'UND_ERR_PRX_TLS') return ['tls', 'TLS with the proxy failed']
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return ['too-large', 'the headers of the answer are larger than 16 KiB']
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return ['timeout', 'the connection timed out']
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return ['truncated', 'the answer is not as long as its Content-Length says']
  }
  const breach = breachOfHttp(error)
  if (progress.answering && code !== 'ECONNRESET' && breach === undefined) {
    return ['truncated', 'the connection was closed in the middle of the answer']
  }
  const proxy = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message)
  if (proxy) return ['unreachable', `the proxy refused the connection (HTTP ${proxy[1]})`]
  if (breach !== undefined) return ['broken', `the answer is not HTTP/1.1 (${breach})`]
  if (!progress.started && progress.secure)
    return ['tls', 'the connection was closed during the TLS handshake']
  if (code === 'UND_ERR_INVALID_ARG') return ['broken', 'the request cannot be sent over HTTP as it is']
  return [
    'broken',
    `the connection was ${code === 'ECONNRESET' ? 'reset' : 'closed'} before an answer was complete`,
  ]
}

function codeOf(error: Error): string {
  const { code, cause, errors } = error as NodeJS.ErrnoException & { cause?: Error; errors?: Error[] }
  if (code !== undefined) return code
  const inner = cause ?? errors?.[0]
  return inner === undefined ? '' : codeOf(inner)
}

// A stream that ends too early is reported by the parser, too: that one is no breach of the protocol.
function breachOfHttp(error: Error): string | undefined {
  if (error.name !== 'HTTPParserError' || /EOF/i.test(error.message)) return undefined
  return /\(([^)]+)\)$/.exec(error.message)?.[1] ?? 'it cannot be parsed'
}
