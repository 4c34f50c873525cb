/** §4 Common rules and advice, as far as recorded traffic shows them; judged on every operation. */

import { schemaOf } from '../../../schemas/catalogue.ts'
import type { RequirementId } from '../../../specs/requirements.ts'
import { show } from '../../context/expectations.ts'
import { clientIssues } from '../client-issues.ts'
import { isRefused, type TrafficExchange, wantsJson } from '../exchange.ts'
import { accepted, acceptedWhere, came, each, isObject, type Rule, whyNot } from '../rule.ts'

type Ids = Extract<RequirementId, `protocol/${string}`>

export const protocolRules: Readonly<Partial<Record<Ids, Rule>>> = {
  'protocol/form-post': acceptedWhere(
    ({ recorded: { form, request } }) => request.method === 'POST' && form.kind === 'form',
  ),
  'protocol/json-format': each((exchange) => {
    if (exchange.format !== 'pjson' || !answersWithSuccess(exchange)) return undefined
    if (exchange.body !== undefined) return showsUtf8(exchange) ? 'kept' : undefined
    return {
      message: 'the answer is not one JSON object in UTF-8',
      expected: 'with f=pjson, one JSON object in UTF-8',
      actual: whyNot(exchange),
    }
  }),
  'protocol/success-boolean': each((exchange) => {
    if (exchange.body === undefined || !answersWithSuccess(exchange)) return undefined
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
    if (answersWithSuccess(exchange)) return undefined
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

/** Values with which an answer says that it is none of success, in whatever type. */
const refusing: readonly unknown[] = [false, null, 0, '', 'false', 'no', '0']

/**
 * Whether the answer takes itself for one of success. The contract leaves open how the operations refuse, so that an
 * answer without `error` may be a refusal too: only what names success, or holds all else that a success answer has, counts.
 */
function answersWithSuccess({ answer, body, operation }: TrafficExchange): boolean {
  if (answer === undefined || answer.status < 200 || answer.status > 299) return false
  if (body === undefined) return namesSuccess(answer.body.toString('latin1'))
  if ((body.error ?? null) !== null) return false
  if (Object.hasOwn(body, 'success')) return !refusing.includes(body.success)
  const others = (schemaOf(`${operation}.response`).required ?? []).filter((name) => name !== 'success')
  return others.length > 0 && others.every((name) => Object.hasOwn(body, name))
}

const namesSuccess = (text: string): boolean =>
  /"success"\s*:\s*"?true/.test(text) && !/"error"\s*:\s*(?!null\b|\s)/.test(text)

/** A recorder's text shows UTF-8 only where every encoding looks alike. */
function showsUtf8({ recorded, answer }: TrafficExchange): boolean {
  return recorded.bytes || answer?.body.every((byte) => byte < 0x80) === true
}
