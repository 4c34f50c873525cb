/** Targets whose answers come whole, and say something that they should not. */

import { acceptances } from '../../reference/faults/acceptances.ts'
import { targetAt } from './configuration.ts'
import type { HostileTarget } from './hostile-target.ts'
import { type Answered, portalBehindProxy } from './portal-proxy.ts'
import { serve } from './servers.ts'
import { byLuck, oneAnswerForAll, textsChanged } from './truly-broken.ts'

const json = { 'content-type': 'application/json' } as const

/** Is there when it is asked for the first time; then answers every operation with those bytes. */
async function saying(body: string | Buffer) {
  const server = await serve((request, response) => {
    request.resume()
    const answer = request.method === 'GET' ? '{"currentVersion":"11.0"}' : body
    request.on('end', () => response.writeHead(200, json).end(answer))
  })
  return targetAt(server)
}

/** What an object inherits from wherever code copies it carelessly. */
const polluting =
  '"__proto__":{"success":true,"accepted":true,"error":null,"outcome":"passed","status":200,"length":0},' +
  '"constructor":{"prototype":{"success":true,"accepted":true,"outcome":"passed"}}'

const script = '<script>alert(1)</script>'

/** Clears the screen, names the window, colours, turns the direction, and starts a script. */
const nasty = `\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r\n::error::\u2028${script}`

/** The value with that text behind every text in it. */
function withNastyTexts(value: unknown): unknown {
  if (typeof value === 'string') return value + nasty
  if (Array.isArray(value)) return value.map(withNastyTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withNastyTexts(each)]))
}

/** Syncs, deletions and the refresh of guests are waited for, if in vain. */
const consequencesMs = 3000

/** A portal that is right but for one thing is judged as thoroughly as any other. */
const wholeRunMs = 20_000

const nonConformant = { exitCode: 1, says: /./, mayFail: byLuck, timeoutsMs: consequencesMs } as const

export const wrongAnswers: readonly HostileTarget[] = [
  {
    id: 'truncated-json',
    sentence: 'Each answer is a JSON object that is cut off, with HTTP 200 and the length of what is left.',
    expect: { ...nonConformant, fails: [...acceptances, 'protocol/json-format'] },
    start: () => saying('{"success": true, "workspace": {"id": "17", "na'),
  },
  {
    id: 'invalid-utf-8',
    sentence: 'Each answer is a JSON object with bytes that are not UTF-8.',
    expect: { ...nonConformant, fails: [...acceptances, 'protocol/json-format'] },
    start: () =>
      saying(
        Buffer.concat([Buffer.from('{"success":true,"name":"'), Buffer.from([0xc3, 0x28, 0xff, 0x22, 0x7d])]),
      ),
  },
  {
    id: 'polluting-keys',
    sentence:
      'Each answer holds __proto__ and constructor, with all that a success needs inside, and no success.',
    expect: {
      // Nothing of it names success: whether it refuses, and whether what it is asked for is there, cannot be told.
      exitCode: 3,
      says: /nothing was accepted any more/,
      // It is JSON, if nothing else.
      mayPass: ['protocol/json-format'],
      timeoutsMs: consequencesMs,
    },
    start: () => saying(`{${polluting}}`),
  },
  {
    id: 'polluting-keys-added',
    sentence: 'A portal that is right adds __proto__ and constructor to every answer, which changes nothing.',
    expect: { exitCode: 0, says: /./, mayPass: 'any', timeoutsMs: wholeRunMs },
    start: () =>
      portalBehindProxy((answer) => ({ ...answer, body: answer.body.replace('{', `{${polluting},`) })),
  },
  {
    id: 'one-answer-for-all',
    sentence: 'Every request, whatever it asks, gets the answer to an update of some task run.',
    expect: { ...nonConformant, ...oneAnswerForAll },
    start: () => saying('{"success":true,"taskId":"some-task","runId":"some-run"}'),
  },
  {
    id: 'answer-to-the-request-before',
    sentence: 'Every request gets the answer to the one before it, whoever made that.',
    expect: { ...nonConformant, mayFail: 'any', mayPass: 'any', timeoutsMs: wholeRunMs },
    async start() {
      let before: Answered = { status: 200, contentType: json['content-type'], body: '{"success":true}' }
      return portalBehindProxy((answer) => {
        const late = before
        before = answer
        return late
      })
    },
  },
  {
    id: 'script-and-escapes-in-texts',
    sentence: 'Every text in every answer, errors included, is followed by a script and by terminal escapes.',
    expect: { ...nonConformant, fails: textsChanged, mayPass: 'any', timeoutsMs: wholeRunMs },
    start: () =>
      portalBehindProxy((answer) => ({
        ...answer,
        body: JSON.stringify(withNastyTexts(JSON.parse(answer.body))),
      })),
  },
]
