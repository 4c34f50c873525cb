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
  requirementsOf,
  rowsOf,
  textsKept,
  type WrittenFault,
  words,
} from './fault.ts'

const contentType = ({ arrival }: Call): string => arrival.headers['content-type'] ?? ''

const namesCharset = (call: Call): boolean => /;\s*charset/i.test(contentType(call))

/** Refuses some forms of every operation. */
const refusingForms = (isOdd: (call: Call) => boolean): Alter =>
  everywhere((operation) => refuseWhen(operation, 'not-a-form', isOdd))

const refusedFormFaults = rowsOf(refusingForms, 'protocol/encoding', {
  'charset-refused': ['A form whose content type names a charset is refused.', namesCharset],
  'quoted-charset-refused': [
    'A form whose content type has its charset in quotes is refused.',
    (call) => /charset="/i.test(contentType(call)),
  ],
  'media-type-case-matters': [
    'A form whose media type is not written in lower case is refused.',
    (call) => /^[^;]*[A-Z]/.test(contentType(call)),
  ],
  'lower-case-escapes-refused': [
    'A form with percent-escapes in lower case is refused.',
    ({ arrival }) => /%(?:[a-f][0-9a-fA-F]|[0-9A-F][a-f])/.test(arrival.body.toString('latin1')),
  ],
})

/** The requirements about limits on names and descriptions. */
const limits = requirementsOf('add-workspace').filter((id) => requirementOf(id).kind === 'limits')

/** Decodes names and values of forms in another way. They come as raw bytes in Latin-1. */
const decoding = (decode: (raw: string) => string): Alter =>
  replacing({ decodeForm: (body) => parseForm(body, decode) })

const decodedFaults = rowsOf(
  decoding,
  { breaks: textsKept, mayBreak: ['protocol/encoding', ...limits] },
  {
    'plus-kept': [
      'A plus sign in a form stays a plus sign where it stands for a space.',
      (raw) => decodeText(raw.replaceAll('+', '%2B')),
    ],
    'percent-decoded-twice': [
      'Percent-escapes are resolved twice, so that a text that holds one is changed.',
      (raw) => {
        const once = Buffer.from(decodeText(raw)).toString('latin1')
        return unescapeBytes(once).toString('utf8')
      },
      { breaks: textsKept, mayBreak: limits },
    ],
    'latin-1-decoding': [
      'Forms are read as Latin-1 where they are UTF-8.',
      (raw) => unescapeBytes(raw.replaceAll('+', ' ')).toString('latin1'),
      { breaks: [...textsKept, ...limitsAccept], mayBreak: anyRequestOf('add-workspace') },
    ],
    'lower-case-escapes-kept': [
      'Percent-escapes in lower case stay as they are.',
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

/** How the fault answers a request that should be accepted. */
const manners = {
  'refused-as-bad': (parts) => () => parts.refuse('bad-value'),
  'failed-with-500': page(500, '<h1>Internal Server Error</h1>', { 'content-type': 'text/html' }),
  redirected: page(302, '', { location: '/signin' }),
  'forbidden-to-all': (parts) => () => parts.refuse('forbidden'),
} as const satisfies Readonly<Record<string, Manner>>

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

const edits = ['add-workspace', 'update-participant', 'update-federation'] as const

/** A fault that answers some valid requests in another way. Advice on refusals also applies to these answers. */
const unreliable = (operation: OperationId, rule: string, sentence: string, alter: Alter): WrittenFault => ({
  id: `${operation}-${rule}`,
  sentence,
  breaks: [firstOf(operation)],
  mayBreak: ['protocol/refusal-json', 'protocol/no-server-error'],
  dependsOn: 'number of requests',
  alter,
})

const nowAndThen = (
  [
    ['refused-as-bad', 'every-third-time', everyThird, operationIds],
    ['failed-with-500', 'one-time-in-four', oneInFour, operationIds],
    ['redirected', 'every-third-time', everyThird, ['sync-workspace', ...edits]],
    ['forbidden-to-all', 'every-third-time', everyThird, ['sync-workspace', ...edits]],
  ] as const
).flatMap(([manner, often, concerned, operations]) =>
  operations.map((operation) =>
    unreliable(
      operation,
      `${manner}-${often}`,
      `${operation} is answered so ${words(often)}: ${words(manner)}.`,
      answeredInstead(operation, manners[manner], concerned),
    ),
  ),
)

const done = operationIds.map((operation) =>
  unreliable(
    operation,
    'refused-as-bad-though-done-every-third-time',
    `Every third ${operation} is done, and refused.`,
    answeredInstead(operation, manners['refused-as-bad'], everyThird, true),
  ),
)

/** add-workspace must not refuse as bad, because the contract allows a limit on the number of workspaces. */
const forGood = (
  [
    ['refused-as-bad', 10, operationIds.slice(1)],
    ['failed-with-500', 25, operationIds],
  ] as const
).flatMap(([manner, first, operations]) =>
  operations.map((operation) =>
    unreliable(
      operation,
      `${manner}-after-${first}`,
      `After ${first} requests every ${operation} is answered so: ${words(manner)}.`,
      answeredInstead(operation, manners[manner], after(first)),
    ),
  ),
)

/** Changes the body of every n-th accepted answer. */
const shapedBy =
  (operation: OperationId, n: number, change: (body: Buffer) => string): Alter =>
  (parts) =>
    changeBytes(operation, (body) => Buffer.from(change(body)), everyNth(n))(parts)

/** An answer of another shape does not count as accepted. */
const anyAcceptance = (operation: OperationId): RequirementId[] => [
  ...requirementsOf('protocol'),
  ...acceptancesOf(operation),
  ...(operation === 'sync-workspace' ? (['add-workspace/id-works'] as const) : []),
  ...(operation === 'reassign-items' ? (['reassign-items/ownership-moves'] as const) : []),
]

const inNoObject = (
  [
    ['answered-with-nothing-every-third-time', 3, operationIds, () => ''],
    ['answered-with-a-string', 1, operationIds, (body: Buffer) => JSON.stringify(body.toString())],
    ['answered-with-a-page-every-third-time', 3, edits, () => '<html><body>Done.</body></html>'],
    ['answered-with-a-word', 1, edits, () => 'OK'],
  ] as const
).flatMap(([rule, n, operations, change]) =>
  operations.map(
    (operation): WrittenFault => ({
      id: `${operation}-${rule}`,
      sentence: `What ${operation} accepts is ${words(rule)}.`,
      breaks: ['protocol/json-format'],
      mayBreak: anyAcceptance(operation),
      dependsOn: n === 1 ? undefined : 'number of requests',
      alter: shapedBy(operation, n, change),
    }),
  ),
)

const withoutSuccess = operationIds.map(
  (operation): WrittenFault => ({
    id: `${operation}-answered-without-success-every-third-time`,
    sentence: `Every third time what ${operation} accepts is answered without success.`,
    breaks: ['protocol/success-boolean'],
    mayBreak: anyAcceptance(operation),
    dependsOn: 'number of requests',
    alter: shapedBy(operation, 3, (body) => {
      const { success: _, ...others } = JSON.parse(body.toString())
      return JSON.stringify(others)
    }),
  }),
)

/** Faults of operations that sometimes refuse valid requests, stop working, or do not answer with a JSON object. */
export const unreliableFaults: readonly WrittenFault[] = [
  ...nowAndThen,
  ...done,
  ...forGood,
  ...inNoObject,
  ...withoutSuccess,
]
