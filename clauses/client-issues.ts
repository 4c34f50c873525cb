/** Mistakes in recorded requests that no conforming server must accept. Open points are no mistakes. Pure. */
import { limitsOf, requestSchema } from '../schemas/catalogue.ts'
import { issuesOf } from '../schemas/validators.ts'
import { show } from '../schemas/wording.ts'
import { operationOf } from '../specs/operations.ts'
import { isUrl } from '../specs/paths.ts'
import { distinctItems, type Exchange } from './exchange.ts'
import { isOver } from './texts.ts'

/** `finding`: the client breaks the contract. `note`: worth knowing, such as a text that was too long. */
export type ClientLevel = 'finding' | 'note'

export interface ClientIssue {
  readonly id: `client/${string}`
  readonly level: ClientLevel
  readonly message: string
  readonly expected: string
  readonly actual: string
  readonly parameter?: string
}

/** Everything that is wrong with the request of an exchange. */
export function clientIssues(exchange: Exchange): ClientIssue[] {
  return [...transport(exchange), ...overLimits(exchange), ...values(exchange)]
}

function transport({ recorded: { request, form }, operation }: Exchange): ClientIssue[] {
  if (request.method !== 'POST') {
    const message = 'the request was not sent with POST'
    const actual = request.method.slice(0, 40)
    return [{ id: 'client/method', level: 'finding', message, expected: 'POST', actual }]
  }
  const expected = 'a body of type application/x-www-form-urlencoded'
  if (form.kind === 'other') {
    const actual = `Content-Type: ${form.type.slice(0, 80)}`
    return [{ id: 'client/content-type', level: 'finding', message: 'the body is no form', expected, actual }]
  }
  if (form.kind === 'multipart') {
    const message = 'the form was sent as multipart, which no server needs to take'
    const actual = `Content-Type: ${form.type}`
    return [{ id: 'client/multipart', level: 'note', message, expected, actual }]
  }
  const known = operationOf(operation).parameters.map(({ name }) => name)
  const inQuery = known.filter((name) => name !== 'f' && form.inQuery.has(name))
  if (inQuery.length === 0) return []
  const message = 'parameters were sent in the query, where no server needs to look for them'
  const actual = `in the query: ${inQuery.join(', ')}`
  return [{ id: 'client/query', level: 'note', message, expected, actual }]
}

/** A too long text comes from a user. The client may leave the refusal to the server, so this is only a note. */
function overLimits(exchange: Exchange): ClientIssue[] {
  if (!exchange.recorded.form.exact) return []
  return limitsOf(requestSchema(exchange.operation)).flatMap(({ field, keyword, most }): ClientIssue[] => {
    const items = distinctItems(exchange, field).length
    const text = exchange.value(field) ?? ''
    const [size, unit, isOverLimit] =
      keyword === 'maxItems'
        ? [items, 'items', items > most]
        : [text.length, 'characters', isOver(text, most)]
    if (!isOverLimit) return []
    const answered = exchange.accepted === undefined ? 'not accepted' : 'accepted'
    return [
      {
        id: 'client/over-limit',
        level: 'note',
        message: `${field} is over the limit`,
        expected: `at most ${most} ${unit}`,
        actual: `${size} ${unit}; the request was ${answered}`,
        parameter: field,
      },
    ]
  })
}

/** Checks the contract's own parameters against the request schemas. */
function values(exchange: Exchange): ClientIssue[] {
  const { form, request } = exchange.recorded
  if (request.method !== 'POST') return []
  return issuesOf(`${exchange.operation}.request`, exchange.asked).flatMap(
    ({ path, keyword, key, message }) => {
      const parameter = key ?? (path.split(/[.[]/, 1)[0] as string)
      if (keyword === 'required') {
        const missing = `${parameter} is required, and was not sent`
        return form.lacks === undefined ? [issue('required-parameter', missing, parameter, message)] : []
      }
      const text = exchange.value(parameter)
      if (text === undefined || isOpen(parameter, keyword, text)) return []
      if (keyword === 'format') return wrongFormat(parameter, text)
      return [issue('parameter-value', `${parameter} has a wrong value`, parameter, message)]
    },
  )
}

/** Open points: values of f, notation of groups and certificates, empty texts. `overLimits` judges the limits. */
function isOpen(parameter: string, keyword: string, text: string): boolean {
  if (['f', 'groups', 'certificate'].includes(parameter)) return true
  if (keyword === 'maxLength' || keyword === 'maxItems') return true
  return text === '' && parameter !== 'status' && parameter !== 'items' && parameter !== 'targetUsername'
}

/**
 * JSON Schema formats are narrower than what people rightly send, so only what cannot be a URL or an address counts.
 */
function wrongFormat(parameter: string, text: string): ClientIssue[] {
  if (/url/i.test(parameter) && !isUrl(text)) {
    return [issue('parameter-value', `${parameter} is no URL`, parameter, show(text))]
  }
  if (isNoAddress(text) && /email/i.test(parameter)) {
    // The contract does not say that this must be an address. The value is personal data, so it is not shown.
    const found = issue('email-address', `${parameter} is no e-mail address`, parameter, 'another text')
    return [{ ...found, level: 'note' }]
  }
  return []
}

/** Whether a text cannot be an e-mail address: nothing before or after the @, or a second unquoted @. */
export const isNoAddress = (text: string): boolean => !/^(?:".+"|[^@]+)@[^@\s]+$/s.test(text.trim())

const issue = (name: string, message: string, parameter: string, actual: string): ClientIssue => ({
  id: `client/${name}`,
  level: 'finding',
  message,
  expected: `a value of ${parameter} that the contract allows`,
  actual,
  parameter,
})
