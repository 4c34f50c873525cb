/** §4 Common rules: one check per rule and operation. */
import fc from 'fast-check'
import { answersWithSuccess, isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { FormStyle } from '../../deployment/http/outgoing-request.ts'
import { type CheckDefinition, suite, usesUp } from '../../runner/check.ts'
import type { How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { inTurn, isQuick } from '../../runner/effort.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** The Accept header of browsers, which prefer pages to JSON. With f=pjson it must not matter. */
const browsersAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Ways to write the same form. Every parser must read them alike. */
interface NamedStyle extends How {
  /** Completes "the same form, …". */
  readonly name: string
  /** Only texts with spaces or letters beyond ASCII are written differently. */
  readonly ofTextAlone?: true
}

const styled = (name: string, style: FormStyle): NamedStyle => ({ name, style })
const ofText = (name: string, style: FormStyle): NamedStyle => ({ name, style, ofTextAlone: true })

const formStyles: readonly NamedStyle[] = [
  ofText('with %20 for spaces', { space: '%20' }),
  ofText('with + for spaces', { space: '+' }),
  ofText('with lower-case escapes', { escapes: 'lower' }),
  styled('with safe characters escaped', { safe: 'escaped' }),
  styled('with its parameters in reverse', { order: 'reversed' }),
  styled('with its parameters rotated', { order: 'rotated' }),
  ofText('in reverse with lower-case escapes and %20', {
    order: 'reversed',
    escapes: 'lower',
    space: '%20',
  }),
  { name: 'with a charset on its type', contentType: 'application/x-www-form-urlencoded; charset=utf-8' },
  {
    name: 'with a charset in capitals on its type',
    contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
  },
  {
    name: 'with a charset in quotes on its type',
    contentType: 'application/x-www-form-urlencoded; charset="utf-8"',
  },
  { name: 'with its type in other letter case', contentType: 'Application/X-WWW-Form-URLencoded' },
]

/** Combinations for a quick run. Together they cover most styles. */
const packedStyles: readonly NamedStyle[] = [
  {
    name: 'in reverse with lower-case escapes, %20 and a charset in quotes on its type',
    style: { order: 'reversed', escapes: 'lower', space: '%20' },
    contentType: 'application/x-www-form-urlencoded; charset="utf-8"',
  },
  {
    name: 'rotated with safe characters escaped, + and its type in other letter case',
    style: { order: 'rotated', safe: 'escaped', space: '+' },
    contentType: 'Application/X-WWW-Form-URLencoded; charset=UTF-8',
  },
]

for (const operation of operationIds) judgeShape(operation)
for (const operation of operationIds) judgeEncoding(operation)

function judgeShape(operation: OperationId): void {
  const check = suite(checks, targetNeeds(operation))

  check(`protocol/form-post:${operation}`, {}, async (context) => {
    const { accepted } = context.target(operation)
    context.expect((await accepted()).answer).toBeAccepted()
    await context.openPoints.aside(() => observeRequiredParameters(context, operation))
  })

  check(`protocol/json-format:${operation}`, {}, async (context) => {
    const { accepted, send, fixed } = context.target(operation)
    const { portalGroupId: _, groups: __, ...request } = await context.given.request(operation, fixed)
    // Only echoed texts must be accepted in every script.
    const examples = operation === 'add-workspace' ? [withTexts(operation, request, 'Zoë 漢字 𠀀 🚀')] : []
    const judge = (answer: Answer): void =>
      context.expect(answer).toKeep('protocol/json-format', { valid: true })
    judge((await accepted()).answer)
    if (!usesUp(operation))
      await context.inSituations(async () => {
        const asBrowser = await send(request, { accept: browsersAccept })
        // A refusal shows nothing about success answers: it is open whether the header is checked.
        if (asBrowser.status >= 200 && asBrowser.status <= 299) judge(asBrowser)
      })
    await context.forAll(
      context.given.requests(operation, { fixed }),
      async (one) => judge(await send(one)),
      { cases: 'few', judged: 1, examples },
    )
  })

  check(`protocol/success-boolean:${operation}`, {}, async (context) => {
    const { accepted, send, fixed } = context.target(operation)
    const judge = (answer: Answer): void =>
      context.expect(answer).toKeep('protocol/success-boolean', { valid: true })
    judge((await accepted()).answer)
    await context.forAll(
      context.given.requests(operation, { fixed, text: 'ordinary' }),
      async (request) => judge(await send(request)),
      { cases: 'few', judged: 1 },
    )
  })

  check(`protocol/content-type:${operation}`, {}, async (context) => {
    const { answer } = await context.target(operation).controlled()
    context.openPoints.observe('content-types', `accepted: ${answer.headers['content-type'] ?? 'none'}`)
    context.expect(answer).toKeep('protocol/content-type')
  })
}

/** Omits each parameter that the contract marks neither as required nor as optional. */
async function observeRequiredParameters(context: CheckContext, operation: OperationId): Promise<void> {
  const { fixed, send } = context.target(operation)
  const whole = await context.given.request(operation, fixed)
  const open = operationOf(operation).parameters.filter(({ presence }) => presence === 'open')
  const names = open.map(({ name }) => name).filter((name) => name !== 'f' && Object.hasOwn(whole, name))
  const lists: Record<string, string[]> = { required: [], 'may be left out': [] }
  for (const name of names) {
    // Undefined instead of absent, so that no group is filled in.
    const isOmissible = isAccepted(await send({ ...whole, [name]: undefined }))
    lists[isOmissible ? 'may be left out' : 'required']?.push(name)
  }
  for (const [what, list] of Object.entries(lists))
    if (list.length > 0) context.openPoints.observe('required-parameters', `${what}: ${list.join(', ')}`)
}

function judgeEncoding(operation: OperationId): void {
  const check = suite(checks, targetNeeds(operation))

  check(`protocol/encoding:${operation}`, {}, async (context) => {
    const { send, fixed, accepted } = context.target(operation)
    const { given, control, expect, configuration } = context
    const { seed, runs } = configuration.run
    const requests = given.requests(operation, { fixed, text: 'ordinary' }).map(withoutFolder)
    const inStyles = (styles: readonly NamedStyle[]) =>
      fc
        .sample(requests, { seed, numRuns: styles.length })
        .map((request, at): [RequestFields, NamedStyle] => [
          withDelicateTexts(operation, request, at),
          styles[at] as NamedStyle,
        ])
    const examples = inStyles(stylesFor(operation, runs))
    await context.forAll(
      fc.tuple(requests, fc.constantFrom(...formStyles)),
      async ([made, { name, ...how }]) => {
        // Unique names that differ only in the mark at their beginning.
        const [request, again] = [given.named(made), given.named(made)]
        // Echoed texts are compared with those of the same request in the plain form.
        const plain = operation === 'add-workspace' ? await send(request) : (await accepted()).answer
        control(plain)
        const styled = await send(again, how)
        // If a plain form is refused as well, the style of the form is not the reason.
        if (!answersWithSuccess(styled, operation))
          for (let time = 0; time < 2; time += 1)
            control(await send(given.named(made)), 'the same request in the plain form, after it,')
        expect(styled, plain).toBeAccepted(`the same form, ${name}`)
        expect(styled, plain).keeps('protocol/encoding')
      },
      { cases: usesUp(operation) ? 'few' : 'some', examples, quick: inStyles(packedStyles) },
    )
  })

  check(`protocol/unknown-parameter:${operation}`, {}, async (context) => {
    const { controlled, send } = context.target(operation)
    const { request, answer: plain } = await controlled()
    const extra = [
      ['unknownParameterOfNobody', 'value'],
      ['unknown.parameter.ofNobody', 'value'],
    ] as const
    context
      .expect(await send(request, { extra }), plain)
      .toBeAccepted(
        'with the further parameters unknownParameterOfNobody=value and unknown.parameter.ofNobody=value',
        'unknownParameterOfNobody',
      )
  })
}

/** The styles that every run tries. Quick runs try few on fixtures that they use up, and others for each operation. */
function stylesFor(operation: OperationId, runs: number): readonly NamedStyle[] {
  const all = formStyles.filter(({ ofTextAlone }) => ofTextAlone !== true || !holdNoText.includes(operation))
  const isScarce = isQuick({ runs }) && usesUp(operation)
  return isScarce ? inTurn(all, operationIds.indexOf(operation) * 2, 2) : all
}

/** Operations whose forms contain nothing to escape. */
const holdNoText: readonly OperationId[] = ['sync-workspace', 'delete-collaboration']

/** Without the folder: another rule is about folders that exist already. */
function withoutFolder({ targetFoldername: _, ...request }: RequestFields): RequestFields {
  return request
}

const writtenByPeople = new Set(['title', 'sentence', 'result', 'first-name', 'last-name'])

/** The request with texts that encodings write differently: spaces, and letters beyond ASCII. */
const withDelicateTexts = (operation: OperationId, request: RequestFields, at: number): RequestFields =>
  // Names of persons have no digits.
  withTexts(operation, request, `Zoë Müller ${String.fromCodePoint(0x41 + (at % 26))}`)

function withTexts(operation: OperationId, request: RequestFields, text: string): RequestFields {
  const { properties } = requestSchema(operation)
  const texts = Object.keys(request).filter((name) =>
    writtenByPeople.has(properties[name]?.['x-realistic'] ?? ''),
  )
  return { ...request, ...Object.fromEntries(texts.map((name) => [name, text])) }
}
