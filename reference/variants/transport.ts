/** Other ways of carrying answers over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { admitBefore, changeRendered, delayAnswers, replacing, withHeaders } from '../alterations.ts'
import type { Alter } from '../parts.ts'
import { variantsOf } from './variant.ts'

/** Turns away every fortieth request; the next one is served whenever it comes. */
const throttle =
  (status: number, retryAfter = () => '1'): Alter =>
  (parts) => {
    let served = 0
    admitBefore(() =>
      ++served % 40 === 0
        ? {
            status,
            headers: { 'retry-after': retryAfter(), 'content-type': 'text/plain' },
            body: Buffer.from('Slow down.'),
          }
        : undefined,
    )(parts)
  }

export const transportVariants = variantsOf({
  'plain-text-type': {
    sentence: 'JSON is sent as text/plain.',
    alter: changeRendered((rendered) =>
      withHeaders(rendered, { 'content-type': 'text/plain;charset=utf-8' }),
    ),
  },
  gzip: {
    sentence: 'Answers are compressed for clients that take it.',
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
    alter: changeRendered((rendered) => withHeaders(rendered, { connection: 'close' })),
  },
  'throttled-429': {
    sentence: 'Now and then a request is turned away with 429 and Retry-After.',
    alter: throttle(429),
  },
  'throttled-503': {
    sentence: 'Now and then a request is turned away with 503 and Retry-After.',
    alter: throttle(503),
  },
  'deep-base-path': {
    sentence: 'The base path has several segments.',
    alter: replacing({ basePath: '/gis/public/portal/sharing/rest' }),
  },
  'portals-apart': {
    sentence: 'The guest answers on a port of its own, and the host does not answer for it.',
    alter(parts) {
      parts.separatePortals.push('guest')
    },
  },
  'answers-at-random-times': {
    sentence: 'Each answer is up to 40 ms late.',
    alter: delayAnswers(() => Math.random() * 40),
  },
  'connection-closed-after-three': {
    sentence: 'A connection is closed after its third answer.',
    alter(parts) {
      const served = new WeakMap<object, number>()
      changeRendered((rendered, _answer, { socket }) => {
        const count = (served.get(socket) ?? 0) + 1
        served.set(socket, count)
        return count < 3 ? rendered : withHeaders(rendered, { connection: 'close' })
      })(parts)
    },
  },
  'throttled-until-date': {
    sentence: 'Now and then a request is turned away with 429, and Retry-After is a date.',
    alter: throttle(429, () => new Date(Date.now() + 1000).toUTCString()),
  },
  'json-written-otherwise': {
    sentence:
      'JSON has escapes for all that is not ASCII, integers with a fraction of zero, and line breaks around it.',
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
