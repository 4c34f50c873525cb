/** Targets that can be reached, but whose answers break in transit, never end or have invalid content. */
import type { RequestListener } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { withTexts } from '../../deployment/redaction/redaction.ts'
import { acceptances, refusalsOf, textsKept } from '../../reference/faults/fault.ts'
import { startPortal } from '../../reference/portal.ts'
import { byLuck } from '../parts/faults.ts'
import {
  answering,
  closingAll,
  type Expectation,
  type HostileTarget,
  json,
  type Listening,
  type RunningTarget,
  rewritingPortal,
  serve,
} from './servers.ts'

/** The run sends its requests, and can decide nothing. */
const undecided = (says: RegExp): Expectation => ({ exitCode: 3, says })

/** Answers every operation with this body. */
const saying = (body: string | Buffer) => answering((response) => response.writeHead(200, json).end(body))

function* repeated(head: string, chunk: string, times: number): Generator<string> {
  yield head
  for (let time = 0; time < times; time += 1) yield chunk
}

/** Targets whose answers to operations break in transit or never end. */
const brokenAnswers: readonly HostileTarget[] = [
  {
    id: 'reset-in-mid-answer',
    sentence: 'The connection is reset in the middle of each answer.',
    expect: undecided(/the connection was (reset before an answer was complete|closed in the middle)/),
    start: answering((response, socket) => {
      response.writeHead(200, { ...json, 'content-length': 500 })
      response.write('{"success": true, "worksp', () => setTimeout(() => socket.resetAndDestroy(), 20))
    }),
  },
  {
    id: 'shorter-than-announced',
    sentence: 'Each answer ends before the length that it announced.',
    expect: undecided(/closed in the middle of the answer|not as long as its Content-Length/),
    start: answering((response, socket) => {
      response.writeHead(200, { ...json, 'content-length': 500 })
      response.write('{"success": true}', () => socket.end())
    }),
  },
  {
    id: 'body-without-end',
    sentence: 'The body of each answer has no end.',
    expect: undecided(/the answer is larger than \d+ bytes|no complete answer within 1s/),
    start: answering((response) => {
      const body = Readable.from(repeated('', ' '.repeat(65_536), Number.POSITIVE_INFINITY))
      pipeline(body, response.writeHead(200, json), () => undefined)
    }),
  },
  {
    id: 'one-byte-a-second',
    sentence: 'Each answer comes at one byte a second.',
    expect: undecided(/no complete answer within 1s/),
    start: answering((response, socket) => {
      response.writeHead(200, { ...json, 'content-length': 16 })
      const timer = setInterval(() => response.write(' '), 1000)
      socket.once('close', () => clearInterval(timer))
      response.flushHeaders()
    }),
  },
  {
    id: 'header-of-100-mb',
    sentence: 'Each answer has a header of a hundred megabytes.',
    expect: undecided(/the headers of the answer are larger/),
    start: answering((_response, socket) => {
      const head = repeated('HTTP/1.1 200 OK\r\nx-large: ', 'a'.repeat(100_000), 1000)
      pipeline(Readable.from(head), socket, () => undefined)
    }),
  },
  {
    id: 'compressed-by-name-only',
    sentence: 'Each answer claims to be compressed and is not.',
    expect: undecided(/the answer .*(gzip|decoded|compress|content)/i),
    start: answering((response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{"success":true}'),
    ),
  },
  {
    id: 'nested-100000-deep',
    sentence: 'Each answer is JSON that is nested a hundred thousand levels deep.',
    expect: undecided(/nested deeper than/),
    start: saying(`{"success":true,"workspace":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
  },
  {
    id: 'throttled-for-eleven-days',
    sentence: 'Every operation is answered with 503 and a Retry-After of eleven days.',
    expect: undecided(/not available \(HTTP 503\)/),
    start: answering((response) => response.writeHead(503, { 'retry-after': '999999' }).end()),
  },
  {
    id: 'throttled-for-ever',
    sentence: 'Every operation is answered with 429 and a Retry-After of a second, for ever.',
    expect: undecided(/throttled \(HTTP 429\)/),
    start: answering((response) => response.writeHead(429, { 'retry-after': '1' }).end('Too many requests')),
  },
]

/** A portal with the fixtures at that address. */
async function withFixtures(url: string, provider: Pick<Listening, 'close'>): Promise<RunningTarget> {
  const target = await rewritingPortal((body) => body, { fixtures: { url } })
  return { ...target, close: closingAll(target, provider) }
}

const providing = (answer: RequestListener) => async () => {
  const provider = await serve(answer)
  return withFixtures(provider.origin, provider)
}

const brokenFixtures: readonly HostileTarget[] = [
  {
    id: 'fixtures-fail',
    sentence: 'The fixture provider answers 500, with escapes in its message.',
    expect: undecided(/the provider answered HTTP 500/),
    start: providing((_request, response) =>
      response.writeHead(500).end('out of order \u001b[2J\r\n<script>alert(1)</script>'),
    ),
  },
  {
    id: 'fixtures-without-ids',
    sentence: 'The fixture provider answers with objects in which the ids are missing.',
    expect: undecided(/is missing: .* expected/),
    start: providing((_request, response) => response.end('{"success":true}')),
  },
  {
    id: 'fixtures-made-up',
    sentence: 'The fixture provider hands out ids that the portal has never seen.',
    expect: undecided(/nothing in this run was accepted/),
    async start() {
      const other = await startPortal()
      return withFixtures(other.configuration.fixtures.url, other)
    },
  },
  {
    id: 'fixtures-hang',
    sentence: 'The fixture provider never answers.',
    expect: undecided(/the provider did not answer within/),
    start: providing((request) => void request.resume()),
  },
]

/** Careless copying of this object would pollute prototypes. */
const polluting =
  '"__proto__":{"success":true,"accepted":true,"error":null,"outcome":"passed","status":200,"length":0},' +
  '"constructor":{"prototype":{"success":true,"accepted":true,"outcome":"passed"}}'

/** Clears the screen, sets the window title, changes the colour, reverses the text direction and adds a script. */
const nasty = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r\n::error::\u2028<script>alert(1)</script>'

/** Targets whose answers are complete but have invalid content. */
const wrongAnswers: readonly HostileTarget[] = [
  {
    id: 'truncated-json',
    sentence: 'Each answer is a JSON object that is cut off, with HTTP 200 and the length of what is left.',
    expect: { exitCode: 1, fails: [...acceptances, 'protocol/json-format'], mayFail: byLuck },
    start: saying('{"success": true, "workspace": {"id": "17", "na'),
  },
  {
    id: 'invalid-utf-8',
    sentence: 'Each answer is a JSON object with bytes that are not UTF-8.',
    expect: { exitCode: 1, fails: [...acceptances, 'protocol/json-format'], mayFail: byLuck },
    start: saying(Buffer.from('{"success":true,"name":"\xc3\x28\xff"}', 'latin1')),
  },
  {
    id: 'polluting-keys',
    sentence:
      'Each answer holds __proto__ and constructor, with all that a success needs inside, and no success.',
    // The answers are valid JSON, and have no `success`: nothing shows whether they accept.
    expect: { ...undecided(/the target accepted no more requests/), mayPass: ['protocol/json-format'] },
    start: saying(`{${polluting}}`),
  },
  {
    id: 'polluting-keys-added',
    sentence: 'A portal that is right adds __proto__ and constructor to every answer, which changes nothing.',
    expect: { exitCode: 0, mayPass: 'any' },
    start: () => rewritingPortal((body) => body.replace('{', `{${polluting},`)),
  },
  {
    id: 'one-answer-for-all',
    sentence: 'Every request, whatever it asks, gets the answer to an update of some task run.',
    expect: {
      exitCode: 1,
      fails: [
        ...refusalsOf('add-workspace', 'reassign-items', 'sync-workspace', 'delete-collaboration'),
        ...refusalsOf('update-participant', 'update-federation'),
        'add-workspace/creates',
        'update-task-run/identifiers',
        'reassign-items/reassigns',
        'sync-workspace/starts',
        'update-participant/updates',
        'delete-collaboration/gone-after-delete',
        'update-federation/updates',
      ],
      mayFail: 'any',
      // They require only an accepted request or valid JSON, and the answer fulfils most of them.
      mayPass: [
        ...acceptances,
        'protocol/json-format',
        'protocol/success-boolean',
        'protocol/encoding',
        'sync-workspace/asynchronous-returns',
        'sync-workspace/after-finish',
        'delete-collaboration/others-unaffected',
        'update-federation/idempotent',
      ],
    },
    start: saying('{"success":true,"taskId":"some-task","runId":"some-run"}'),
  },
  {
    id: 'answer-to-the-request-before',
    sentence: 'Every request gets the answer to the one before it, of any caller.',
    expect: { exitCode: 1, mayFail: 'any', mayPass: 'any' },
    start: () => {
      let before = '{"success":true}'
      return rewritingPortal((body) => {
        const late = before
        before = body
        return late
      })
    },
  },
  {
    id: 'script-and-escapes-in-texts',
    sentence: 'Every text in every answer, errors included, is followed by a script and by terminal escapes.',
    expect: { exitCode: 1, fails: textsKept, mayFail: 'any', mayPass: 'any' },
    start: () =>
      rewritingPortal((body) => JSON.stringify(withTexts(JSON.parse(body), (text) => text + nasty))),
  },
]

/** Those that take long are last. */
export const halfBroken: readonly HostileTarget[] = [...brokenAnswers, ...wrongAnswers, ...brokenFixtures]
