/** Targets whose answers come whole, and say something that they should not. */
import { withTexts } from '../../deployment/redaction/redaction.ts'
import { acceptances, refusalsOf } from '../../reference/faults/fault.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { byLuck } from '../matrix.ts'
import { answering, consequencesMs, type HostileTarget, json } from './hostile-target.ts'
import { type Answered, portalBehindProxy } from './servers.ts'

/** Where every request is answered as the update of one task run is, whose ids are always the same. */
const oneAnswerForAll = {
  fails: [
    ...refusalsOf(
      'add-workspace',
      'reassign-items',
      'sync-workspace',
      'update-participant',
      'delete-collaboration',
      'update-federation',
    ),
    'add-workspace/creates',
    'add-workspace/name-limit-rejects',
    'add-workspace/description-limit-rejects',
    'add-workspace/unknown-collaboration',
    'add-workspace/unknown-group',
    'update-task-run/identifiers',
    'update-task-run/status-required',
    'update-task-run/statuses',
    'update-task-run/unknown-run',
    'update-task-run/run-of-task',
    'reassign-items/reassigns',
    'reassign-items/items-required',
    'reassign-items/target-required',
    'reassign-items/items-limit-rejects',
    'reassign-items/ineligible-target',
    'reassign-items/ownership-moves',
    'reassign-items/unknown-target',
    'reassign-items/target-in-organization',
    'reassign-items/not-their-item',
    'reassign-items/unknown-item',
    'reassign-items/concurrent-one-wins',
    'sync-workspace/starts',
    'sync-workspace/synchronous-blocks',
    'sync-workspace/unknown-workspace',
    'sync-workspace/unknown-collaboration',
    'update-participant/updates',
    'update-participant/unknown-participant',
    'update-participant/unknown-collaboration',
    'delete-collaboration/gone-after-delete',
    'delete-collaboration/sharing-stops',
    'update-federation/updates',
    'update-federation/unknown-federation',
  ],
  /** One that is found or not by the luck of the timing, beside the model. */
  mayFail: [...byLuck, 'sync-workspace/one-at-a-time'],
  /** These say "is accepted", or "is JSON", and no more: that answer keeps most of them. */
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
} satisfies Record<string, readonly RequirementId[]>

/** Where every text of an answer has something behind it: all that says "as sent", "of the path", "of the request". */
const textsChanged: readonly RequirementId[] = [
  'add-workspace/id-works',
  'add-workspace/collaboration-id',
  'add-workspace/name-kept',
  'add-workspace/description-kept',
  'update-task-run/identifiers',
  'reassign-items/error-details-items',
  'reassign-items/error-details-owner',
  'update-participant/identifiers',
  'update-federation/identifier',
]

/** Answers every operation with those bytes. */
const saying = (body: string | Buffer) => answering((response) => response.writeHead(200, json).end(body))

/** What an object inherits from wherever code copies it carelessly. */
const polluting =
  '"__proto__":{"success":true,"accepted":true,"error":null,"outcome":"passed","status":200,"length":0},' +
  '"constructor":{"prototype":{"success":true,"accepted":true,"outcome":"passed"}}'

const script = '<script>alert(1)</script>'

/** Clears the screen, names the window, colours, turns the direction, and starts a script. */
const nasty = `\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r\n::error::\u2028${script}`

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
        body: JSON.stringify(withTexts(JSON.parse(answer.body), (text) => text + nasty)),
      })),
  },
]
