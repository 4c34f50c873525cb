/**
 * Faults of operations that sometimes refuse valid requests, that stop working, or that do not answer with a JSON
 * object.
 */
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { around, changeRendered } from '../alterations.ts'
import type { Alter, Answer, Call, Parts, Rendered } from '../parts.ts'
import { acceptancesOf, type Fault, faultsOf, requirementsOf } from './fault.ts'

type Written = Omit<Fault, 'id'>

/** Makes an answer that replaces the answer of the operation. */
type Manner = (parts: Parts) => () => Answer

/** The first requirement of an operation says that a valid request is accepted. */
const firstOf = (operation: OperationId): RequirementId =>
  operationOf(operation).requirements[0].id as RequirementId

const every: readonly OperationId[] = [
  'add-workspace',
  'update-task-run',
  'reassign-items',
  'sync-workspace',
  'update-participant',
  'delete-collaboration',
  'update-federation',
]

/** Answers with a page or an empty body. */
const page =
  (status: number, text: string, headers: Rendered['headers'] = {}): ((parts: Parts) => () => Answer) =>
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
const manners: Readonly<Record<string, Manner>> = {
  'refused-as-bad': (parts) => () => parts.refuse('bad-value'),
  'failed-with-500': page(500, '<h1>Internal Server Error</h1>', { 'content-type': 'text/html' }),
  redirected: page(302, '', { location: '/signin' }),
  'forbidden-to-all': (parts) => () => parts.refuse('forbidden'),
}

/** Answers some requests in this manner. `performs`: whether the request takes effect anyway. */
const answeredInstead =
  (
    operation: OperationId,
    manner: Manner,
    concerns: () => (call: Call) => boolean,
    performs = false,
  ): Alter =>
  (parts) => {
    const instead = manner(parts)
    const isOne = concerns()
    around(operation, async (call, honest) => {
      if (!isOne(call)) return honest()
      const answer = performs ? await honest() : undefined
      return answer?.refused === undefined ? instead() : answer
    })(parts)
  }

/** Every n-th call. */
const eachNth = (n: number) => () => {
  let count = 0
  return () => ++count % n === 0
}

/** One call in n, by chance. */
const oneIn = (n: number) => () => () => Math.random() * n < 1

/** All calls after the first n. */
const from = (first: number) => () => {
  let count = 0
  return () => ++count > first
}

const product = (
  rule: string,
  say: (operation: OperationId) => string,
  operations: readonly OperationId[],
  alter: (operation: OperationId) => Alter,
  breaks: (operation: OperationId) => readonly RequirementId[] = (operation) => [firstOf(operation)],
  mayBreak: (operation: OperationId) => readonly RequirementId[] = () => adviceOnRefusals,
): Readonly<Record<string, Written>> =>
  Object.fromEntries(
    operations.map((operation) => [
      `${operation}-${rule}`,
      {
        sentence: say(operation),
        breaks: breaks(operation),
        mayBreak: mayBreak(operation),
        alter: alter(operation),
      },
    ]),
  )

/** Advice on refusals also applies to these answers. */
const adviceOnRefusals: readonly RequirementId[] = ['protocol/refusal-json', 'protocol/no-server-error']

/** Such an answer does not count as accepted. */
const anyAcceptance = (operation: OperationId): RequirementId[] => [
  ...requirementsOf('protocol'),
  ...acceptancesOf(operation),
  ...(operation === 'sync-workspace' ? (['add-workspace/id-works'] as const) : []),
  ...(operation === 'reassign-items' ? (['reassign-items/ownership-moves'] as const) : []),
]

const edits: readonly OperationId[] = ['add-workspace', 'update-participant', 'update-federation']

/** Operations that answer some requests in one of these manners. */
const nowAndThen = Object.assign(
  {},
  ...(
    [
      ['refused-as-bad', 'every-third-time', eachNth(3), every],
      ['failed-with-500', 'one-time-in-four', oneIn(4), every],
      ['redirected', 'every-third-time', eachNth(3), ['sync-workspace', ...edits]],
      ['forbidden-to-all', 'every-third-time', eachNth(3), ['sync-workspace', ...edits]],
    ] as const
  ).map(([manner, often, concerns, operations]) =>
    product(
      `${manner}-${often}`,
      (operation) =>
        `${operation} is answered so ${often.replaceAll('-', ' ')}: ${manner.replaceAll('-', ' ')}.`,
      operations,
      (operation) => answeredInstead(operation, manners[manner] as Manner, concerns),
    ),
  ),
)

const done = product(
  'refused-as-bad-though-done-every-third-time',
  (operation) => `Every third ${operation} is done, and refused.`,
  every,
  (operation) => answeredInstead(operation, manners['refused-as-bad'] as Manner, eachNth(3), true),
)

/** add-workspace must not refuse as bad, because the contract allows a limit on the number of workspaces. */
const forGood = Object.assign(
  {},
  ...(
    [
      ['refused-as-bad', 10, every.slice(1)],
      ['failed-with-500', 25, every],
    ] as const
  ).map(([manner, first, operations]) =>
    product(
      `${manner}-after-${first}`,
      (operation) =>
        `After ${first} requests every ${operation} is answered so: ${manner.replaceAll('-', ' ')}.`,
      operations,
      (operation) => answeredInstead(operation, manners[manner] as Manner, from(first)),
    ),
  ),
)

/** Bodies that replace the JSON object of an answer. */
const shapes: Readonly<Record<string, (body: Buffer) => string>> = {
  'answered-with-nothing': () => '',
  'answered-with-a-string': (body) => JSON.stringify(body.toString()),
  'answered-with-a-word': () => 'OK',
  'answered-with-a-page': () => '<html><body>Done.</body></html>',
}

const shapedBy =
  (operation: OperationId, change: (body: Buffer) => string, isOne: () => boolean): Alter =>
  (parts) => {
    const concerned = new WeakSet<object>()
    around(operation, async (_call, honest) => {
      const answer = await honest()
      if (answer.refused === undefined && isOne()) concerned.add(answer)
      return answer
    })(parts)
    changeRendered((rendered, answer) =>
      concerned.has(answer) ? { ...rendered, body: Buffer.from(change(rendered.body)) } : rendered,
    )(parts)
  }

const inObject = ({ success: _, ...others }: Record<string, unknown>): object => others

const shaped = Object.assign(
  {},
  ...(
    [
      ['answered-with-nothing', 3, every],
      ['answered-with-a-string', 1, every],
      ['answered-with-a-page', 3, edits],
      ['answered-with-a-word', 1, edits],
    ] as const
  ).map(([shape, n, operations]) =>
    product(
      `${shape}${n === 1 ? '' : '-every-third-time'}`,
      (operation) =>
        `What ${operation} accepts is ${shape.replaceAll('-', ' ')}${n === 1 ? '' : ' every third time'}.`,
      operations,
      (operation) => shapedBy(operation, shapes[shape] as (body: Buffer) => string, eachNth(n)()),
      () => ['protocol/json-format'],
      anyAcceptance,
    ),
  ),
  product(
    'answered-without-success-every-third-time',
    (operation) => `Every third time what ${operation} accepts is answered without success.`,
    every,
    (operation) =>
      shapedBy(operation, (body) => JSON.stringify(inObject(JSON.parse(body.toString()))), eachNth(3)()),
    () => ['protocol/success-boolean'],
    anyAcceptance,
  ),
)

export const unreliableFaults = faultsOf({ ...nowAndThen, ...done, ...forGood, ...shaped })
