/** Judges of what a request may hold: limits (§8), required parameters, texts that come back unchanged. */
import { limitsOf, requestSchema } from '../schemas/catalogue.ts'
import { show } from '../schemas/wording.ts'
import type { OperationId } from '../specs/operations.ts'
import { isOtherwiseRight } from './callers.ts'
import {
  accepted,
  answerInWords,
  type Breach,
  each,
  type Judge,
  type Judgement,
  mustBeRefused,
  wrongField,
} from './clause.ts'
import { type Exchange, isMissing } from './exchange.ts'
import type { Facts } from './facts.ts'
import { valueAt } from './shapes.ts'
import { isExactly, isJudged, isOver } from './texts.ts'

/** The limit of a parameter in its request schema, in characters or items. */
export const mostIn = (operation: OperationId, parameter: string): number =>
  limitsOf(requestSchema(operation)).find(({ field }) => field === parameter)!.most

/** A text parameter with a limit, and the field of the answer that repeats it. */
export interface LimitedText {
  readonly parameter: string
  readonly most: number
  readonly echo: string
}

/**
 * Requests with this parameter must be refused. A refusal shows that if an equal request without the mistake was
 * accepted. An acceptance breaks the requirement if nothing else is wrong with the request.
 */
export function judgeRefusalFor(
  parameter: string,
  exchange: Exchange,
  facts: Facts,
  breach: Pick<Breach, 'message'> & Partial<Breach>,
): Judgement {
  if (exchange.accepted !== undefined && !isOtherwiseRight(exchange, facts)) return undefined
  return mustBeRefused(exchange, () => facts.controlFor(exchange, parameter), {
    marks: { request: [parameter] },
    ...breach,
  })
}

/** A text of exactly the limit is accepted. A shorter text shows this only in part, a refusal shows nothing. */
export function textLimitAccepts({ parameter, most }: LimitedText): Judge {
  return accepted((exchange) => {
    const text = exactText(exchange, parameter)
    if (text === undefined || text === '' || text.length > most) return undefined
    return isExactly(text, most) ? 'kept' : 'in part'
  })
}

/** A text that is over the limit by every way of counting is not accepted. */
export function textLimitRejects({ parameter, most, echo }: LimitedText): Judge {
  return each((exchange, facts) => {
    const text = exactText(exchange, parameter)
    if (text === undefined || !isOver(text, most)) return undefined
    const kept = valueAt(exchange.accepted, echo)
    const shortened = typeof kept === 'string' && kept.length < text.length && text.startsWith(kept)
    return judgeRefusalFor(parameter, exchange, facts, {
      message: shortened
        ? `a text over the limit of ${most} characters was shortened instead of refused`
        : `a text over the limit of ${most} characters was accepted`,
      actual: `${answerInWords(exchange)}${shortened ? `, ${echo} of ${kept.length} characters` : ''}; sent were ${text.length}`,
    })
  })
}

/** A request without a required parameter is refused. */
export function required(parameter: string): Judge {
  return each((exchange, facts) =>
    isMissing(exchange, parameter)
      ? judgeRefusalFor(parameter, exchange, facts, {
          message: `a request without ${parameter} was accepted`,
        })
      : undefined,
  )
}

/** A printable text within the limit comes back unchanged. */
export function textKept({ parameter, most, echo }: LimitedText): Judge {
  return accepted((exchange) => {
    const sent = exchange.value(parameter)
    const found = valueAt(exchange.accepted, echo)
    if (sent === undefined || typeof found !== 'string' || sent.length > most) return undefined
    // The cheap comparison first, because most texts come back unchanged.
    if (found === sent) return 'kept'
    if (!isJudged(sent)) return undefined
    // The normalisation form of a returned text is open.
    if (found.normalize('NFC') === sent) return 'kept'
    if (!exchange.recorded.form.exact || !isFaithful(exchange, sent, found)) return undefined
    return {
      ...wrongField(echo, {
        message: `${echo} differs from the sent value`,
        expected: `${show(sent)}${whereTheyDiffer(sent, found)}`,
        found,
      }),
      marks: { request: [parameter], response: [echo] },
    }
  })
}

/** Shorter texts can be compared at a glance. */
const longText = 40
const pieceLength = 16

/** Describes the first difference between two long texts. */
function whereTheyDiffer(sent: string, found: string): string {
  if (sent.length <= longText) return ''
  const [one, other] = [[...sent], [...found]]
  const first = one.findIndex((character, at) => character !== other[at])
  const at = first < 0 ? one.length : first
  const piece = (characters: readonly string[]) => show(characters.slice(at, at + pieceLength).join(''))
  return `; the first difference is character ${at + 1}: ${piece(one)} was sent, ${piece(other)} came`
}

/** The text as it was sent. Undefined if a recorder may have changed its encoding. */
function exactText({ recorded, value }: Exchange, parameter: string): string | undefined {
  const text = value(parameter)
  return recorded.form.exact || !/%[0-9a-f]{2}/i.test(text ?? '') ? text : undefined
}

/** Whether the server made the difference. A recorder may have decoded the answer wrongly. */
function isFaithful({ recorded, answer }: Exchange, sent: string, found: string): boolean {
  if (recorded.bytes) return true
  const plain = /^[\x20-\x7e]*$/
  if (plain.test(sent) && plain.test(found)) return true
  const type = String(answer?.headers['content-type'] ?? '')
  return !found.includes('\uFFFD') && (/charset="?utf-?8/i.test(type) || /[/+]json\b/i.test(type))
}
