/**
 * What reports say of an answer, so that they never read one themselves: its class (accepted, refused or no verdict),
 * and the name of an answer that a profile knows to break the contract. A name changes the words of a finding, never a
 * judgement. Pure.
 */
import {
  type Answer,
  type AnswerClass,
  BodyLimitError,
  bodyFields,
  type Classified,
  TransportError,
} from '../deployment/http/exchange.ts'
import { busyIn } from '../deployment/http/pace.ts'
import { valueAt } from '../schemas/values.ts'
import type { KnownShape } from '../specs/profile.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { isAccepted, isPage, refusalLine } from './acceptance.ts'
import { type Exchange, isRefused } from './exchange.ts'

/** The class of an answer to a check, or of the transport error that came instead. */
export function classified(exchange: Answer | TransportError): Classified {
  const { about } = exchange.request
  const read = classOf(exchange)
  return {
    class: read,
    ...(about === undefined ? {} : { operation: about }),
    ...(read === 'refused' && !(exchange instanceof TransportError) ? refusalOf(exchange) : {}),
  }
}

/** Nothing if the answer is larger than we read. */
function refusalOf(answer: Answer): Pick<Classified, 'refusal'> {
  const refusal = refusalLine(answer)
  return refusal === undefined ? {} : { refusal }
}

function classOf(exchange: Answer | TransportError): AnswerClass {
  if (exchange instanceof TransportError || busyIn(exchange) !== undefined) return 'no-verdict'
  try {
    if (isAccepted(exchange)) return 'accepted'
    return isPage(exchange) ? 'no-verdict' : 'refused'
  } catch (error) {
    if (error instanceof BodyLimitError) return 'no-verdict'
    throw error
  }
}

/** The class of an exchange that was prepared for judging. */
export function classifiedExchange(exchange: Exchange): Classified {
  const { accepted, answer, operation } = exchange
  if (accepted !== undefined) return { class: 'accepted', operation }
  if (answer === undefined || !isRefused(exchange)) return { class: 'no-verdict', operation }
  return { class: 'refused', operation, ...refusalOf(answer) }
}

/** What a finding or a reason is based on. */
interface Resting {
  readonly requirement: RequirementId
  /** The last answer and its operation. Absent: unknown. */
  readonly answer?: Answer | undefined
  readonly operation?: string | undefined
  /** The shapes of the profile in use. */
  readonly shapes?: readonly KnownShape[] | undefined
}

/** Rewords a finding if its answer has a known shape. */
export function inKnownWords<Texts extends { readonly message: string; readonly actual: string }>(
  found: Texts,
  resting: Resting,
): Texts {
  const shape = shapeOf(resting)
  if (shape === undefined) return found
  const actual = `${named(found.actual, shape)}; known: ${shape.says} (${shape.source})`
  return { ...found, message: named(found.message, shape), actual }
}

/** Rewords the reason of an inconclusive check. */
export function reasonInKnownWords(reason: string, resting: Resting): string {
  const shape = shapeOf(resting)
  return shape === undefined ? reason : named(reason, shape)
}

const named = (text: string, { answeredWith }: KnownShape): string =>
  answeredWith === undefined ? text : text.replace(/\bnot accepted\b/, `answered with ${answeredWith}`)

function shapeOf({ requirement, answer, operation, shapes = [] }: Resting): KnownShape | undefined {
  return shapes.find(
    (shape) =>
      answer !== undefined &&
      shape.operation === operation &&
      (shape.requirements === undefined || shape.requirements.includes(requirement)) &&
      hasShape(answer, shape),
  )
}

const longestEnd = 256

function hasShape(
  answer: Answer,
  { holds = [], lacks = [], mentions = '', endsWith = '' }: KnownShape,
): boolean {
  const end = answer.body.subarray(-longestEnd).toString('utf8').replace(/\s+/g, '')
  if (!end.endsWith(endsWith)) return false
  const text = mentions === '' ? '' : answer.body.toString('utf8').toLowerCase()
  if (!text.includes(mentions.toLowerCase())) return false
  if (holds.length + lacks.length === 0) return true
  const body = bodyFields(answer)
  const has = (path: string): boolean => valueAt(body, path) !== undefined
  return Object.keys(body).length > 0 && holds.every(has) && !lacks.some(has)
}
