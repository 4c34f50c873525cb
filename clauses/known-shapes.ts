/**
 * Names answers that a profile knows to break the contract. This changes the words of a finding, never a judgement.
 * Pure.
 */
import { type Answer, bodyFields } from '../deployment/http/exchange.ts'
import type { KnownShape } from '../specs/profile.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { valueAt } from './shapes.ts'

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

function hasShape(answer: Answer, { holds = [], lacks = [], endsWith = '' }: KnownShape): boolean {
  const end = answer.body.subarray(-longestEnd).toString('utf8').replace(/\s+/g, '')
  if (!end.endsWith(endsWith)) return false
  if (holds.length + lacks.length === 0) return true
  const body = bodyFields(answer)
  const has = (path: string): boolean => valueAt(body, path) !== undefined
  return Object.keys(body).length > 0 && holds.every(has) && !lacks.some(has)
}
