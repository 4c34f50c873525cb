/** Targets that can be reached, and whose answers to operations break on the way or have no end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answering, consequencesMs, type HostileTarget, json, serveMadeUpFixtures } from './hostile-target.ts'
import {
  concurrency,
  type Listening,
  portalBehindProxy,
  type RunningTarget,
  serve,
  throttleWaitMs,
  timeoutMs,
} from './servers.ts'

/** So many broken exchanges in a row are as many as a run waits for. */
const brokenInARow = 20

/** As long as those take when each of them runs into the time-out. */
const untilGone = Math.ceil(brokenInARow / concurrency) * timeoutMs

/** Writes chunks for as long as somebody takes them. */
function pour(socket: Socket, head: string, chunk: string, bytes: number): void {
  let left = bytes
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length
      if (!socket.write(chunk)) {
        socket.once('drain', more)
        return
      }
    }
  }
  socket.write(head)
  more()
}

const broken = (says: RegExp, timeoutsMs = 0) => ({ exitCode: 3, says, timeoutsMs }) as const

export const brokenAnswers: readonly HostileTarget[] = [
  {
    id: 'reset-in-mid-answer',
    sentence: 'The connection is reset in the middle of each answer.',
    expect: broken(/the connection was (reset before an answer was complete|closed in the middle)/),
    start: () =>
      answering((response, socket) => {
        response.writeHead(200, { ...json, 'content-length': 500 })
        response.write('{"success": true, "worksp', () => setTimeout(() => socket.resetAndDestroy(), 20))
      }),
  },
  {
    id: 'shorter-than-announced',
    sentence: 'Each answer ends before the length that it announced.',
    expect: broken(/closed in the middle of the answer|not as long as its Content-Length/),
    start: () =>
      answering((response, socket) => {
        response.writeHead(200, { ...json, 'content-length': 500 })
        response.write('{"success": true}', () => socket.end())
      }),
  },
  {
    id: 'body-without-end',
    sentence: 'The body of each answer has no end.',
    expect: broken(/the answer is larger than \d+ bytes|no complete answer within 1s/, untilGone),
    start: () =>
      answering((response, socket) => {
        response.writeHead(200, json)
        response.flushHeaders()
        const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
        pour(socket, '', chunk, Number.POSITIVE_INFINITY)
      }),
  },
  {
    id: 'one-byte-a-second',
    sentence: 'Each answer comes at one byte a second.',
    expect: broken(/no complete answer within 1s/, untilGone),
    start: () =>
      answering((response, socket) => {
        response.writeHead(200, { ...json, 'content-length': 16 })
        const timer = setInterval(() => response.write(' '), 1000)
        socket.once('close', () => clearInterval(timer))
        response.flushHeaders()
      }),
  },
  {
    id: 'header-of-100-mb',
    sentence: 'Each answer has a header of a hundred megabytes.',
    expect: broken(/the headers of the answer are larger/),
    start: () =>
      answering((_response, socket) =>
        pour(socket, 'HTTP/1.1 200 OK\r\nx-large: ', 'a'.repeat(65_536), 100_000_000),
      ),
  },
  {
    id: 'compressed-by-name-only',
    sentence: 'Each answer claims to be compressed and is not.',
    expect: broken(/the answer .*(gzip|decoded|compress|content)/i),
    start: () =>
      answering((response) =>
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{"success":true}'),
      ),
  },
  {
    id: 'nested-100000-deep',
    sentence: 'Each answer is JSON that is nested a hundred thousand levels deep.',
    expect: broken(/nested deeper than/),
    start: () => {
      const depth = 100_000
      const body = `{"success":true,"workspace":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
      return answering((response) => response.writeHead(200, json).end(body))
    },
  },
  {
    id: 'throttled-for-ever',
    sentence: 'Every operation is answered with 429 and a Retry-After of a second, for ever.',
    expect: broken(/throttled \(HTTP 429\)/, 2 * throttleWaitMs),
    start: () =>
      answering((response) => response.writeHead(429, { 'retry-after': '1' }).end('Too many requests')),
  },
  {
    id: 'throttled-for-eleven-days',
    sentence: 'Every operation is answered with 503 and a Retry-After of eleven days.',
    expect: broken(/not available \(HTTP 503\)/),
    start: () => answering((response) => response.writeHead(503, { 'retry-after': '999999' }).end()),
  },
]

/** How long a run waits for a provider: once for fixtures, and once for it to clean up. */
const providerTimeoutMs = 30_000

async function withFixtures(provider: Promise<Listening>): Promise<RunningTarget> {
  const { origin, close } = await provider
  const target = await portalBehindProxy((answer) => answer, { fixtures: { url: origin } })
  return { ...target, close: async () => void (await Promise.all([target.close(), close()])) }
}

const providing = (answer: (request: IncomingMessage, response: ServerResponse) => void) => () =>
  withFixtures(serve(answer))

export const brokenFixtures: readonly HostileTarget[] = [
  {
    id: 'fixtures-fail',
    sentence: 'The fixture provider answers 500, with escapes in its message.',
    expect: { exitCode: 3, says: /the provider answered HTTP 500/, timeoutsMs: 0 },
    start: providing((_request, response) =>
      response.writeHead(500).end('out of order \u001b[2J\r\n<script>alert(1)</script>'),
    ),
  },
  {
    id: 'fixtures-without-ids',
    sentence: 'The fixture provider answers with objects in which the ids are missing.',
    expect: { exitCode: 3, says: /is missing: .* expected/, timeoutsMs: 0 },
    start: providing((_request, response) => response.end('{"success":true}')),
  },
  {
    id: 'fixtures-made-up',
    sentence: 'The fixture provider hands out ids that the portal has never seen.',
    expect: { exitCode: 3, says: /nothing in this run was accepted/, timeoutsMs: consequencesMs },
    start: () => withFixtures(serveMadeUpFixtures()),
  },
  {
    id: 'fixtures-hang',
    sentence: 'The fixture provider never answers.',
    expect: { exitCode: 3, says: /the provider did not answer within/, timeoutsMs: 2 * providerTimeoutMs },
    start: providing((request) => void request.resume()),
  },
]
