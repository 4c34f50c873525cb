/** Rules on what a request may hold: limits (§8), required parameters, texts that come back as they were sent. */
import { limitsOf, requestSchema } from '../schemas/catalogue.ts'
import { show } from '../schemas/wording.ts'
import type { OperationId } from '../specs/operations.ts'
import { anyRefusal, asksRightly } from './callers.ts'
import { accepted, type Breach, came, each, type Judge, type Judgement, wrongField } from './clause.ts'
import { type Exchange, isMissing, isRefused } from './exchange.ts'
import type { Facts } from './facts.ts'
import { valueAt } from './shapes.ts'
import { isExactly, isJudged, isOver } from './texts.ts'

/** The most that a parameter may hold, in characters or items, as its request schema says. */
export const mostIn = (operation: OperationId, parameter: string): number =>
  limitsOf(requestSchema(operation)).find(({ field }) => field === parameter)!.most

/** A parameter that holds a text of at most so many characters, and the field of the answer that repeats it. */
export interface LimitedText {
  readonly parameter: string
  readonly most: number
  readonly echo: string
}

/**
 * What must be refused for that parameter: a refusal shows it where a request that differs in it alone was accepted, and an
 * acceptance breaks it where nothing else is known to be wrong.
 */
export function refusedFor(
  parameter: string,
  exchange: Exchange,
  facts: Facts,
  breach: Pick<Breach, 'message'> & Partial<Breach>,
): Judgement {
  if (isRefused(exchange)) return facts.controlFor(exchange, parameter) && 'kept'
  if (exchange.accepted === undefined || !asksRightly(exchange, facts)) return undefined
  return { expected: anyRefusal, actual: came(exchange), marks: { request: [parameter] }, ...breach }
}

/** A text of exactly the limit was accepted; a shorter one shows it in part, and a refusal may have any reason. */
export function textLimitAccepts({ parameter, most }: LimitedText): Judge {
  return accepted((exchange) => {
    const text = exactText(exchange, parameter)
    if (text === undefined || text === '' || text.length > most) return undefined
    return isExactly(text, most) ? 'kept' : 'in part'
  })
}

/** A text over the limit is not accepted, by whatever way of counting. */
export function textLimitRejects({ parameter, most, echo }: LimitedText): Judge {
  return each((exchange, facts) => {
    const text = exactText(exchange, parameter)
    if (text === undefined || !isOver(text, most)) return undefined
    const kept = valueAt(exchange.accepted, echo)
    const shortened = typeof kept === 'string' && kept.length < text.length && text.startsWith(kept)
    return refusedFor(parameter, exchange, facts, {
      message: shortened
        ? `a text over the limit of ${most} characters was shortened in place of being refused`
        : `a text over the limit of ${most} characters was accepted`,
      actual: `${came(exchange)}${shortened ? `, ${echo} of ${kept.length} characters` : ''}; sent were ${text.length}`,
    })
  })
}

/** A request without a required parameter is refused. */
export function required(parameter: string): Judge {
  return each((exchange, facts) =>
    isMissing(exchange, parameter)
      ? refusedFor(parameter, exchange, facts, { message: `a request without ${parameter} was accepted` })
      : undefined,
  )
}

/** A printable text within the limit comes back as it was sent. */
export function textKept({ parameter, most, echo }: LimitedText): Judge {
  return accepted((exchange) => {
    const sent = exchange.value(parameter)
    const found = valueAt(exchange.accepted, echo)
    if (sent === undefined || typeof found !== 'string' || sent.length > most) return undefined
    // Most texts come back: what is open of the others need not be asked of them.
    if (found === sent) return 'kept'
    if (!isJudged(sent)) return undefined
    // Which normalisation form a text comes back in is open.
    if (found.normalize('NFC') === sent) return 'kept'
    if (!exchange.recorded.form.exact || !isFaithful(exchange, sent, found)) return undefined
    return {
      ...wrongField(echo, { message: `${echo} is not what was sent`, expected: show(sent), found }),
      marks: { request: [parameter], response: [echo] },
    }
  })
}

/** The text as it was sent; undefined where a recorder may have written it in another way. */
function exactText({ recorded, value }: Exchange, parameter: string): string | undefined {
  const text = value(parameter)
  return recorded.form.exact || !/%[0-9a-f]{2}/i.test(text ?? '') ? text : undefined
}

/** Whether a difference is the server's own: a recorder may have read the answer in another encoding. */
function isFaithful({ recorded, answer }: Exchange, sent: string, found: string): boolean {
  if (recorded.bytes) return true
  const plain = /^[\x20-\x7e]*$/
  if (plain.test(sent) && plain.test(found)) return true
  const type = String(answer?.headers['content-type'] ?? '')
  return !found.includes('\uFFFD') && (/charset="?utf-?8/i.test(type) || /[/+]json\b/i.test(type))
}
