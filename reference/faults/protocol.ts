/** Faults in what all operations share: how the portal reads a form, and whether and how it answers. */
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import {
  around,
  changeBytes,
  changeRendered,
  everyNth,
  everywhere,
  refuseWhen,
  replacing,
} from '../alterations.ts'
import { decodeText, parseForm, unescapeBytes } from '../form.ts'
import type { Alter, Answer, Call, Parts, Rendered } from '../parts.ts'
import { asPage } from '../rendering.ts'
import {
  acceptances,
  acceptancesOf,
  anyRequestOf,
  faultsOf,
  firstOf,
  limitsAccept,
  placesOf,
  requirementsOf,
  textsKept,
  type WrittenFault,
  words,
} from './fault.ts'

const contentType = ({ arrival }: Call): string => arrival.headers['content-type'] ?? ''

const namesCharset = (call: Call): boolean => /;\s*charset/i.test(contentType(call))

/** Refuses some forms of every operation. */
const refusingForms = (isOdd: (call: Call) => boolean): Alter =>
  everywhere((operation) => refuseWhen(operation, 'not-a-form', isOdd))

const refusedFormFaults = placesOf(refusingForms, 'A valid form is refused', 'protocol/encoding', {
  'charset-refused': [namesCharset],
  'quoted-charset-refused': [(call) => /charset="/i.test(contentType(call))],
  'media-type-case-matters': [(call) => /^[^;]*[A-Z]/.test(contentType(call))],
  'lower-case-escapes-refused': [
    ({ arrival }) => /%(?:[a-f][0-9a-fA-F]|[0-9A-F][a-f])/.test(arrival.body.toString('latin1')),
  ],
})

/** The requirements about limits on names and descriptions. */
const limits = requirementsOf('add-workspace').filter((id) => requirementOf(id).kind === 'limits')

/** Decodes names and values of forms in another way. They come as raw bytes in Latin-1. */
const decoding = (decode: (raw: string) => string): Alter =>
  replacing({ decodeForm: (body) => parseForm(body, decode) })

const decodedFaults = placesOf(
  decoding,
  'Forms are decoded wrongly',
  { breaks: textsKept, mayBreak: ['protocol/encoding', ...limits] },
  {
    'plus-kept': [(raw) => decodeText(raw.replaceAll('+', '%2B'))],
    'percent-decoded-twice': [
      (raw) => {
        const once = Buffer.from(decodeText(raw)).toString('latin1')
        return unescapeBytes(once).toString('utf8')
      },
      { breaks: textsKept, mayBreak: limits },
    ],
    'latin-1-decoding': [
      (raw) => unescapeBytes(raw.replaceAll('+', ' ')).toString('latin1'),
      { breaks: [...textsKept, ...limitsAccept], mayBreak: anyRequestOf('add-workspace') },
    ],
    'lower-case-escapes-kept': [
      (raw) => decodeText(raw.replace(/%(?=[0-9a-f]{2})(?!\d{2})/g, '%25')),
      'protocol/encoding',
    ],
  },
)

const formFaults = faultsOf({
  'form-without-charset-refused': {
    sentence: 'A form whose content type names no charset is answered success: false.',
    breaks: acceptances,
    mayBreak: ['protocol/refusal-json'],
    alter: everywhere((operation) =>
      around(operation, (call, honest) =>
        namesCharset(call) ? honest() : { status: 200, body: { success: false }, refused: 'not-a-form' },
      ),
    ),
  },
  'accept-header-beats-format': {
    sentence: 'Who accepts HTML gets a page, also with f=pjson.',
    breaks: ['protocol/json-format'],
    mayBreak: ['protocol/refusal-json'],
    alter: changeRendered((rendered, { status, body }, { headers }) =>
      /\btext\/html\b/.test(headers.accept ?? '') ? asPage(status, 'Answer', body) : rendered,
    ),
  },
})

/** Faults in what all operations share. */
export const protocolFaults: readonly WrittenFault[] = [...refusedFormFaults, ...decodedFaults, ...formFaults]

/** Makes an answer that replaces the answer of the operation. */
type Manner = (parts: Parts) => () => Answer

/** Answers with a page or an empty body. */
const page =
  (status: number, text: string, headers: Rendered['headers'] = {}): Manner =>
  (parts) => {
    const ours = new WeakSet<object>()
    changeRendered((rendered, answer) =>
      ours.has(answer)
        ? { status, headers: { ...rendered.headers, ...headers }, body: Buffer.from(text) }
        : rendered,
    )(parts)
    return () => {
      const answer: Answer = { status, body: {}, refused: 'failed' }
      ours.add(answer)
      return answer
    }
  }

const refusedAsBad: Manner = (parts) => () => parts.refuse('bad-value')
const forbidden: Manner = (parts) => () => parts.refuse('forbidden')
const redirected = page(302, '', { location: '/signin' })
const failed = page(500, '<h1>Internal Server Error</h1>', { 'content-type': 'text/html' })

/** Answers some requests in this manner. `performs`: whether the request takes effect anyway. */
const answeredInstead =
  (operation: OperationId, manner: Manner, concerned: () => () => boolean, performs = false): Alter =>
  (parts) => {
    const instead = manner(parts)
    const isOne = concerned()
    around(operation, async (_call, honest) => {
      if (!isOne()) return honest()
      const answer = performs ? await honest() : undefined
      return answer?.refused === undefined ? instead() : answer
    })(parts)
  }

const everyThird = () => everyNth(3)

/** One call in four, by chance. */
const oneInFour = () => () => Math.random() * 4 < 1

/** All calls after the first n. */
const after = (first: number) => () => {
  let count = 0
  return () => ++count > first
}

const edits: readonly OperationId[] = ['add-workspace', 'update-participant', 'update-federation']

type Instead = readonly [
  manner: string,
  Manner,
  concerned: () => () => boolean,
  operations: readonly OperationId[],
  performs?: true,
]

/** add-workspace must not refuse as bad for good, because the contract allows a limit on the number of workspaces. */
const answeredOtherwise: readonly Instead[] = [
  ['refused-as-bad-every-third-time', refusedAsBad, everyThird, operationIds],
  ['failed-with-500-one-time-in-four', failed, oneInFour, operationIds],
  ['redirected-every-third-time', redirected, everyThird, ['sync-workspace', ...edits]],
  ['forbidden-to-all-every-third-time', forbidden, everyThird, ['sync-workspace', ...edits]],
  ['refused-as-bad-though-done-every-third-time', refusedAsBad, everyThird, operationIds, true],
  ['refused-as-bad-after-10', refusedAsBad, after(10), operationIds.slice(1)],
  ['failed-with-500-after-25', failed, after(25), operationIds],
]

const otherwise = answeredOtherwise.flatMap(([rule, manner, concerned, operations, performs]) =>
  operations.map(
    (operation): WrittenFault => ({
      id: `${operation}-${rule}`,
      sentence: `Valid requests to ${operation} are answered so: ${words(rule)}.`,
      breaks: [firstOf(operation)],
      // Advice on refusals also applies to these answers.
      mayBreak: ['protocol/refusal-json', 'protocol/no-server-error'],
      dependsOn: 'number of requests',
      alter: answeredInstead(operation, manner, concerned, performs),
    }),
  ),
)

/** Changes the body of every n-th accepted answer. */
const shapedBy =
  (operation: OperationId, n: number, change: (body: string) => string): Alter =>
  (parts) =>
    changeBytes(operation, (body) => Buffer.from(change(body.toString())), everyNth(n))(parts)

/** An answer of another shape does not count as accepted. */
const anyAcceptance = (operation: OperationId): RequirementId[] => [
  ...requirementsOf('protocol'),
  ...acceptancesOf(operation),
  ...(operation === 'sync-workspace' ? (['add-workspace/id-works'] as const) : []),
  ...(operation === 'reassign-items' ? (['reassign-items/ownership-moves'] as const) : []),
]

function withoutSuccess(body: string): string {
  const { success: _, ...others } = JSON.parse(body)
  return JSON.stringify(others)
}

type Shape = readonly [
  rule: string,
  oneIn: number,
  operations: readonly OperationId[],
  change: (body: string) => string,
  breaks?: RequirementId,
]

const shapes: readonly Shape[] = [
  ['answered-with-nothing-every-third-time', 3, operationIds, () => ''],
  ['answered-with-a-string', 1, operationIds, (body) => JSON.stringify(body)],
  ['answered-with-a-page-every-third-time', 3, edits, () => '<html><body>Done.</body></html>'],
  ['answered-with-a-word', 1, edits, () => 'OK'],
  ['answered-without-success-every-third-time', 3, operationIds, withoutSuccess, 'protocol/success-boolean'],
]

const shaped = shapes.flatMap(([rule, oneIn, operations, change, breaks = 'protocol/json-format']) =>
  operations.map(
    (operation): WrittenFault => ({
      id: `${operation}-${rule}`,
      sentence: `What ${operation} accepts is ${words(rule)}.`,
      breaks: [breaks],
      mayBreak: anyAcceptance(operation),
      dependsOn: oneIn === 1 ? undefined : 'number of requests',
      alter: shapedBy(operation, oneIn, change),
    }),
  ),
)

/** Faults of operations that sometimes refuse valid requests, stop working, or do not answer with a JSON object. */
export const unreliableFaults: readonly WrittenFault[] = [...otherwise, ...shaped]
