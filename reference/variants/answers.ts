/** Other refusals (the contract fixes only the error of §7), and other ways to send answers over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import {
  admitBefore,
  changeAccepted,
  changeRendered,
  counter,
  delayAnswers,
  everyNth,
  everywhere,
  remembering,
  replacing,
  withHeaders,
  wrapping,
} from '../alterations.ts'
import type { Alter, Answer, Rendered } from '../parts.ts'
import { asHtml, asPage } from '../rendering.ts'
import { variantsOf } from './variant.ts'

/** Changes refusals before they are sent. */
const changeRefusals = (change: (rendered: Rendered, answer: Answer) => Rendered): Alter =>
  changeRendered((rendered, answer) => (answer.refused === undefined ? rendered : change(rendered, answer)))

/** Replaces all refusals except the one whose error the contract shows. */
const replaceRefusals = (instead: (answer: Answer) => Rendered): Alter =>
  changeRefusals((rendered, answer) => (answer.refused === 'ineligible-target' ? rendered : instead(answer)))

/** Throttles every fortieth request. The next one is always served, even before Retry-After ends. */
const throttle =
  (status: number, retryAfter = () => '1'): Alter =>
  (parts) => {
    const isTooMuch = everyNth(40)
    admitBefore(() => {
      const headers = { 'retry-after': retryAfter(), 'content-type': 'text/plain' }
      return isTooMuch() ? { status, headers, body: Buffer.from('Slow down.') } : undefined
    })(parts)
  }

export const answerVariants = variantsOf({
  'refusals-as-403-json': {
    sentence: 'Refusals have HTTP status 403 and the error as JSON.',
    settles: ['form of refusals'],
    because:
      '§7: error responses are not shown but for one; real 4xx with the same body exist (issue threads of clients)',
    alter: changeRefusals((rendered) => ({ ...rendered, status: 403 })),
  },
  'refusals-as-401': {
    sentence: 'Refusals have HTTP status 401 and ask for credentials, whatever is refused.',
    settles: ['form of refusals'],
    because:
      '§5: how a request proves its identity is not shown; HTTP asks for credentials with 401 (RFC 9110, 15.5.2)',
    alter: replaceRefusals(({ refused }) =>
      withHeaders(asPage(401, 'Unauthorized', { reason: refused }), { 'www-authenticate': 'Bearer' }),
    ),
  },
  'refusals-as-498': {
    sentence: 'Refusals have the error code 498 of an invalid token, whatever is refused but for its target.',
    settles: ['form of refusals'],
    because:
      '§7: the list of error codes is not shown; public pages use 498 for tokens, clients sign in again on it',
    alter: changeRefusals((rendered, { refused, body }) =>
      refused === 'ineligible-target'
        ? rendered
        : {
            ...rendered,
            body: Buffer.from(JSON.stringify({ error: { ...(body.error as object), code: 498 } })),
          },
    ),
  },
  'refusals-with-their-status': {
    sentence: 'The HTTP status of a refusal is the code of its error where HTTP knows that code.',
    settles: ['form of refusals'],
    because:
      '§7: error responses are not shown but for one; real 4xx with the same body exist (issue threads of clients)',
    alter: changeRefusals((rendered, { body }) => {
      const { code } = body.error as { code: number }
      return { ...rendered, status: code === 498 || code === 499 ? 401 : code }
    }),
  },
  'refusals-as-400-html': {
    sentence: 'Refusals have HTTP status 400 and an HTML page, whatever format was asked for.',
    settles: ['form of refusals'],
    because:
      '§7: error responses are not shown but for one; proxies and web adaptors answer with pages of their own',
    alter: replaceRefusals(({ refused }) => asPage(400, 'Bad Request', { reason: refused })),
  },
  'refusals-as-empty-500': {
    sentence: 'Refusals have HTTP status 500 and no body.',
    settles: ['form of refusals'],
    because: '§7: error responses are not shown but for one; gateways answer 500 without a body',
    alter: replaceRefusals(() => ({ status: 500, headers: {}, body: Buffer.alloc(0) })),
  },
  'refusals-with-success-false': {
    sentence: 'Refusals hold success false beside the error.',
    because:
      '§7: error responses are not shown but for one; public samples of batch operations hold success: false beside an error',
    alter: wrapping('refuse', (honest) => (reason, details) => {
      const answer = honest(reason, details)
      return reason === 'ineligible-target' ? answer : { ...answer, body: { success: false, ...answer.body } }
    }),
  },
  'refusals-as-302-login': {
    sentence: 'Refusals send to a page for signing in.',
    settles: ['form of refusals'],
    because:
      '§5: how a request proves its identity is not shown; portals behind web-tier authentication send to a sign-in page',
    alter: replaceRefusals(() => ({
      status: 302,
      headers: { location: '/signin', 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>Moved</title>'),
    })),
  },
  'refusals-as-200-login-page': {
    sentence: 'Refusals are a page for signing in, under HTTP status 200.',
    settles: ['form of refusals'],
    because:
      '§5: how a request proves its identity is not shown; portals behind web-tier authentication answer with a sign-in page',
    alter: replaceRefusals(() =>
      asHtml(200, '<!doctype html><title>Sign in</title><form>{"success":true}</form>'),
    ),
  },
  'ineligible-error-with-more': {
    sentence:
      'The error of an ineligible target has further fields beside and in it, and its entries come in another order.',
    because: '§7: the table of fields does not exclude others, and JSON objects have no order (RFC 8259, 4)',
    alter: wrapping('refuse', (honest) => (reason, details = []) => {
      const answer = honest(reason, details.toReversed())
      if (reason !== 'ineligible-target') return answer
      const error = { restart: false, ...(answer.body.error as object) }
      return { ...answer, body: { success: false, status: 'error', error } }
    }),
  },
  'plain-text-type': {
    sentence: 'JSON is sent as text/plain.',
    because:
      '§4: success responses are JSON, and their type is not shown; public samples are served as text/plain',
    alter: changeRendered((rendered) =>
      withHeaders(rendered, { 'content-type': 'text/plain;charset=utf-8' }),
    ),
  },
  gzip: {
    sentence: 'Answers are compressed for clients that take it.',
    because: 'RFC 9110, 8.4: content codings are the affair of HTTP',
    alter: changeRendered((rendered, _answer, { headers }) =>
      /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
        ? {
            ...withHeaders(rendered, { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
            body: gzipSync(rendered.body),
          }
        : rendered,
    ),
  },
  'chunked-slowly': {
    sentence: 'Answers come in three pieces, a few milliseconds apart, without a length.',
    settles: ['pace of answers'],
    because: 'RFC 9112, 7.1: answers may come in chunks',
    alter: replacing({
      send: async ({ status, headers, body }, { response }) => {
        response.writeHead(status, headers)
        const size = Math.ceil(body.length / 3)
        for (let at = 0; at < body.length && !response.destroyed; at += size) {
          response.write(body.subarray(at, at + size))
          await sleep(3)
        }
        response.end()
      },
    }),
  },
  'connection-closed': {
    sentence: 'The connection is closed after each answer.',
    because: 'RFC 9112, 9.6: a server may close a connection after an answer',
    alter: changeRendered((rendered) => withHeaders(rendered, { connection: 'close' })),
  },
  'throttled-429': {
    sentence: 'Now and then a request is turned away with 429 and Retry-After.',
    settles: ['throttling'],
    because: '§8: rate limits are not shown; RFC 6585, 4 and RFC 9110, 10.2.3',
    alter: throttle(429),
  },
  'throttled-403': {
    sentence: 'Every fortieth request is turned away with 403 and Retry-After.',
    settles: ['throttling'],
    because:
      '§8: rate limits are not shown; hosts such as GitHub throttle with 403 and Retry-After (its public documentation)',
    alter: throttle(403),
  },
  'throttled-503': {
    sentence: 'Now and then a request is turned away with 503 and Retry-After.',
    settles: ['throttling'],
    because: '§8: rate limits are not shown; RFC 9110, 15.6.4 and 10.2.3',
    alter: throttle(503),
  },
  'deep-base-path': {
    sentence: 'The base path has several segments.',
    because:
      '§4: paths are relative to the base URL; self-hosted ones are https://machine/webadaptor/sharing/rest (public pages)',
    alter: replacing({ basePath: '/gis/public/portal/sharing/rest' }),
  },
  'portals-apart': {
    sentence: 'The guest answers on a port of its own, and the host does not answer for it.',
    because: '§1: host and guest are portals of their own; public samples show two machines',
    alter(parts) {
      parts.separatePortals.push('guest')
    },
  },
  'answers-at-random-times': {
    sentence: 'Each answer is up to 40 ms late.',
    because: 'no document promises how long an answer takes',
    alter: delayAnswers(() => Math.random() * 40),
  },
  'connection-closed-after-three': {
    sentence: 'A connection is closed after its third answer.',
    because: 'RFC 9112, 9.3: a server may limit how long connections persist',
    alter: remembering(counter<unknown>, (served) =>
      changeRendered((rendered, _answer, { socket }) =>
        served(socket) < 3 ? rendered : withHeaders(rendered, { connection: 'close' }),
      ),
    ),
  },
  'throttled-until-date': {
    sentence: 'Now and then a request is turned away with 429, and Retry-After is a date.',
    settles: ['throttling'],
    because: '§8: rate limits are not shown; RFC 9110, 10.2.3 allows a date',
    alter: throttle(429, () => new Date(Date.now() + 1000).toUTCString()),
  },
  'large-answers': {
    sentence: 'Each answer that accepts holds 400 kB more than it needs.',
    because: '§4: further fields are not excluded, and sizes of answers are not shown',
    takesLong: true,
    alter: everywhere((operation) => changeAccepted(operation, () => ({ padding: 'y'.repeat(400_000) }))),
  },
  'json-written-otherwise': {
    sentence:
      'JSON has escapes for all that is not ASCII, integers with a fraction of zero, and line breaks around it.',
    because: 'RFC 8259: escapes, white space and 1.0 for 1 are the same JSON',
    alter: changeRendered((rendered) => {
      if ('content-encoding' in rendered.headers) return rendered
      const escaped = rendered.body
        .toString('utf8')
        .replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replace(/": (-?\d+)(,?)$/gm, '": $1.0$2')
      return { ...rendered, body: Buffer.from(`\r\n${escaped}\r\n`) }
    }),
  },
})
