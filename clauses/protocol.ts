/** Judges of rules and advice that all operations share (§4), of sequences of operations, and of what a profile adds. */
import { isObject, valueAt } from '../schemas/values.ts'
import { show } from '../schemas/wording.ts'
import { operationOf } from '../specs/operations.ts'
import type { RefusalCause } from '../specs/profile.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { answersWithSuccess, hasSuccessStatus, holdsError } from './acceptance.ts'
import { echoedTexts } from './add-workspace.ts'
import {
  accepted,
  acceptedWhere,
  answerInWords,
  each,
  type Judge,
  type JudgesOf,
  type Look,
  mustBeRefused,
  whyNotAccepted,
  withMemory,
  wrongField,
} from './clause.ts'
import { clientIssues } from './client-issues.ts'
import { type Exchange, isRefused, wantsJson } from './exchange.ts'
import { collaborationKey, type Facts } from './facts.ts'
import type { LimitedText } from './fields.ts'
import { Recent } from './recent.ts'

export const protocolJudges: JudgesOf<'protocol'> = {
  'protocol/form-post': acceptedWhere(
    ({ recorded: { form, request } }) => request.method === 'POST' && form.kind === 'form',
  ),
  'protocol/json-format': each((exchange, facts) => {
    const { format } = exchange
    if (!facts.jsonFormats.includes(format) || !isSuccess(exchange, facts)) return undefined
    if (exchange.body !== undefined) return showsUtf8(exchange) ? 'kept' : undefined
    return {
      message: 'the answer is not one JSON object in UTF-8',
      expected: `with f=${format}, one JSON object in UTF-8`,
      actual: whyNotAccepted(exchange),
    }
  }),
  'protocol/success-boolean': each((exchange, facts) => {
    if (exchange.body === undefined || !isSuccess(exchange, facts)) return undefined
    const { success } = exchange.body
    if (typeof success === 'boolean') return 'kept'
    return wrongField('success', {
      message: 'success is not a boolean',
      expected: 'true or false',
      found: success,
    })
  }),
  'protocol/encoding': accepted((exchange, facts) => {
    if (exchange.recorded.form.kind !== 'form') return undefined
    const plain = facts.controlFor(exchange, 'f')
    if (!hasOtherEncoding(exchange, plain)) return undefined
    const wrong = echoedTexts.find((text) => isChanged(exchange, text))
    if (wrong === undefined) return 'kept'
    if (plain === undefined || isChanged(plain, wrong)) return undefined
    const { parameter, echo } = wrong
    return {
      message: 'another encoding of the same form gives another text',
      expected: `${echo}: ${show(exchange.value(parameter))}`,
      actual: `${echo}: ${show(valueAt(exchange.accepted, echo))}`,
      before: [plain],
      marks: { request: [parameter], response: [echo] },
    }
  }),
  'protocol/unknown-parameter': acceptedWhere(({ operation, recorded }) => {
    const known: readonly string[] = operationOf(operation).parameters.map(({ name }) => name)
    // The contract does not name all parameters of these operations.
    if (operation === 'sync-workspace' || operation === 'update-federation') return false
    return recorded.form.fields.some(([name]) => !known.includes(name) && name.toLowerCase() !== 'token')
  }),
  'protocol/post-only': each((exchange, facts) => {
    if (exchange.recorded.request.method !== 'GET') return undefined
    return mustBeRefused(exchange, () => facts.controlFor(exchange, 'f'), {
      message: 'the operation was performed by GET',
      expected: 'GET is refused',
    })
  }),
  'protocol/no-server-error': each((exchange, facts) => {
    const { answer } = exchange
    if (answer === undefined || !isRefused(exchange)) return undefined
    if (facts.isValid() !== false && clientIssues(exchange).length === 0) return undefined
    if (answer.status < 500) return 'kept'
    return {
      message: 'bad input is answered with a server error',
      expected: 'HTTP below 500',
      actual: answerInWords(exchange),
    }
  }),
  'protocol/refusal-json': each((exchange) => {
    if (!isRefused(exchange) || !wantsJson(exchange) || exchange.recorded.lacks !== undefined)
      return undefined
    // GET may show the page of the operation.
    if (exchange.recorded.request.method !== 'POST') return undefined
    if (showsSuccess(exchange)) return undefined
    const error = exchange.body?.error
    if (isObject(error) && error.code !== undefined && error.message !== undefined) return 'kept'
    return {
      message: 'a refusal does not say what is wrong in JSON',
      expected: 'a JSON object with error.code and error.message',
      actual: answerInWords(exchange),
    }
  }),
  'protocol/content-type': accepted(({ answer, recorded }) => {
    const type = answer?.headers['content-type']
    // A recorder may omit headers.
    if (type === undefined && !recorded.bytes) return undefined
    if (/[/+]json\b/i.test(String(type))) return 'kept'
    return {
      message: 'a JSON answer has another content type',
      expected: 'Content-Type: application/json or another +json type',
      actual: `Content-Type: ${show(type)}`,
    }
  }),
}

export const lifecycleJudges: JudgesOf<'lifecycle'> = {
  'lifecycle/consistent': withMemory(collaborationGoesOn),
}

/** Something is accepted in a collaboration after another operation. This shows a part of what sequences show. */
function collaborationGoesOn(): Look {
  const last = new Recent<{ readonly operations: Set<string> }>()
  return (exchange, facts) => {
    const { operation, path } = exchange
    if (path.collaborationID === undefined) return undefined
    const key = collaborationKey(exchange)
    const { operations } = last.get(key) ?? { operations: new Set() }
    const isAfterAnother = operations.size > (operations.has(operation) ? 1 : 0)
    operations.add(operation)
    last.set(key, { operations })
    if (!isAfterAnother || exchange.accepted === undefined) return undefined
    return facts.deletionOf(exchange) === undefined ? 'in part' : undefined
  }
}

/** What a profile adds to the contract: error codes of refusals. Only checks use these judges. */
type ErrorCodeId = Extract<RequirementId, `profile/${string}-code`>

export const profileJudges: Readonly<Record<ErrorCodeId, Judge>> = {
  'profile/no-credential-code': carries('noCredential'),
  'profile/invalid-credential-code': carries('invalidCredential'),
  'profile/not-permitted-code': carries('notPermitted'),
}

/** A refusal for that cause alone has one of the listed codes. The check knows the cause. */
function carries(cause: RefusalCause): Judge {
  return each((exchange, facts) => {
    const codes = facts.errorCodes(cause)
    if (codes === undefined || !isRefused(exchange) || facts.isValid() !== true) return undefined
    const error = exchange.body?.error
    const code = isObject(error) ? error.code : undefined
    if (codes.includes(code as number)) return 'kept'
    const message = 'the refusal has another error code'
    return wrongField('error.code', { message, expected: codes.join(' or '), found: code })
  })
}

function isChanged({ value, accepted }: Exchange, { parameter, echo }: LimitedText): boolean {
  const found = valueAt(accepted, echo)
  return typeof found === 'string' && found.normalize('NFC') !== value(parameter)?.normalize('NFC')
}

/** A space that is not a plus sign, a lower-case escape, or a character that browsers escape. */
const otherEncoding = /%(?:20|[\dA-F]?[a-f])|[^\w*.+%=&-]/

/** Whether the form is encoded differently from browsers, or from the control. */
function hasOtherEncoding(exchange: Exchange, plain: Exchange | undefined): boolean {
  if (otherEncoding.test(exchange.recorded.request.body)) return true
  return plain !== undefined && encodingOf(exchange) !== encodingOf(plain)
}

/** The order of the parameters and the content type. */
const encodingOf = ({ recorded: { request } }: Exchange): string =>
  JSON.stringify([request.headers['content-type'], [...new URLSearchParams(request.body).keys()]])

/** A 2xx answer that claims success, or that answers a request known to be valid. */
function isSuccess(exchange: Exchange, facts: Facts): boolean {
  const { answer, body } = exchange
  if (answer === undefined || !hasSuccessStatus(answer)) return false
  if (body !== undefined && holdsError(body)) return false
  return facts.isValid() === true || showsSuccess(exchange)
}

const showsSuccess = ({ answer, operation }: Exchange): boolean =>
  answer !== undefined && answersWithSuccess(answer, operation)

/** The text of a recording proves UTF-8 only for characters that are the same in every encoding. */
function showsUtf8({ recorded, answer }: Exchange): boolean {
  return recorded.bytes || answer?.body.every((byte) => byte < 0x80) === true
}
