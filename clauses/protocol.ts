/** §4 Common rules and advice, as far as recorded traffic shows them; judged on every operation. */

import { show } from '../schemas/wording.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { accepted, acceptedWhere, came, each, isObject, type Judge, whyNot } from './clause.ts'
import { clientIssues } from './client-issues.ts'
import { type Exchange, isRefused, wantsJson } from './exchange.ts'
import { answersWithSuccess } from './portal-like.ts'

type Ids = Extract<RequirementId, `protocol/${string}`>

export const protocolJudges: Readonly<Partial<Record<Ids, Judge>>> = {
  'protocol/form-post': acceptedWhere(
    ({ recorded: { form, request } }) => request.method === 'POST' && form.kind === 'form',
  ),
  'protocol/json-format': each((exchange) => {
    if (exchange.format !== 'pjson' || !showsSuccess(exchange)) return undefined
    if (exchange.body !== undefined) return showsUtf8(exchange) ? 'kept' : undefined
    return {
      message: 'the answer is not one JSON object in UTF-8',
      expected: 'with f=pjson, one JSON object in UTF-8',
      actual: whyNot(exchange),
    }
  }),
  'protocol/success-boolean': each((exchange) => {
    if (exchange.body === undefined || !showsSuccess(exchange)) return undefined
    const { success } = exchange.body
    if (typeof success === 'boolean') return 'kept'
    return {
      message: 'success is not a boolean',
      expected: 'success: true or false',
      actual: `success: ${show(success)}`,
      marks: { response: ['success'] },
    }
  }),
  'protocol/post-only': accepted((exchange) =>
    exchange.recorded.request.method !== 'GET'
      ? undefined
      : { message: 'the operation was performed by GET', expected: 'GET is refused', actual: came(exchange) },
  ),
  'protocol/no-server-error': each((exchange) => {
    const { answer } = exchange
    if (answer === undefined || !isRefused(exchange) || clientIssues(exchange).length === 0) return undefined
    if (answer.status < 500) return 'kept'
    return {
      message: 'bad input is answered with a server error',
      expected: 'HTTP below 500',
      actual: came(exchange),
    }
  }),
  'protocol/refusal-json': each((exchange) => {
    if (!isRefused(exchange) || !wantsJson(exchange) || exchange.recorded.lacks !== undefined)
      return undefined
    if (showsSuccess(exchange)) return undefined
    const error = exchange.body?.error
    if (isObject(error) && error.code !== undefined && error.message !== undefined) return 'kept'
    return {
      message: 'a refusal does not say what is wrong in JSON',
      expected: 'a JSON object with error.code and error.message',
      actual: came(exchange),
    }
  }),
  'protocol/content-type': accepted(({ answer }) => {
    const type = answer?.headers['content-type']
    if (type === undefined) return undefined
    if (/[/+]json\b/i.test(String(type))) return 'kept'
    return {
      message: 'a JSON answer does not say that it is one',
      expected: 'Content-Type: application/json or another +json type',
      actual: `Content-Type: ${show(type)}`,
    }
  }),
}

const showsSuccess = ({ answer, operation }: Exchange): boolean =>
  answer !== undefined && answersWithSuccess(answer, operation)

/** A recorder's text shows UTF-8 only where every encoding looks alike. */
function showsUtf8({ recorded, answer }: Exchange): boolean {
  return recorded.bytes || answer?.body.every((byte) => byte < 0x80) === true
}
