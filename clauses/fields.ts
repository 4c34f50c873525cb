/**
 * Judges of fields that operations share. Of a request: limits (§8), required parameters. Of an answer: its schema, and
 * ids and texts that come back unchanged.
 */
import { limitsOf, requestSchema, type SchemaName } from '../schemas/catalogue.ts'
import { issuesOf } from '../schemas/validators.ts'
import { isObject, valueAt } from '../schemas/values.ts'
import { show } from '../schemas/wording.ts'
import type { OperationId } from '../specs/operations.ts'
import { pathExists, refusesParameter } from './callers.ts'
import {
  accepted,
  acceptedWithMemory,
  answerInWords,
  type Breach,
  inDots,
  type Judge,
  type Judgement,
  wrongField,
} from './clause.ts'
import { type Exchange, isMissing } from './exchange.ts'
import type { Facts } from './facts.ts'
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
  return refusesParameter((exchange) => {
    const text = exactText(exchange, parameter)
    if (text === undefined || !isOver(text, most)) return undefined
    const kept = valueAt(exchange.accepted, echo)
    const shortened = typeof kept === 'string' && kept.length < text.length && text.startsWith(kept)
    return {
      parameter,
      message: shortened
        ? `a text over the limit of ${most} characters was shortened instead of refused`
        : `a text over the limit of ${most} characters was accepted`,
      actual: `${answerInWords(exchange)}${shortened ? `, ${echo} of ${kept.length} characters` : ''}; the text had ${text.length} characters`,
    }
  })
}

/** A request without a required parameter is refused. */
export const required = (parameter: string): Judge =>
  refusesParameter((exchange) =>
    isMissing(exchange, parameter)
      ? { parameter, message: `a request without ${parameter} was accepted` }
      : undefined,
  )

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
      ...wrongField(echo, { message: `${echo} differs from the sent value`, expected: show(sent), found }),
      marks: { request: [parameter], response: [echo] },
    }
  })
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

/**
 * The accepted answer has the fields of its schema. `concerns`: which of them the requirement is about. `shows`: what an
 * answer shows that has them.
 */
export function shaped(
  operation: OperationId,
  {
    concerns,
    shows = () => 'kept',
  }: {
    readonly concerns?: (path: string) => boolean
    readonly shows?: (exchange: Exchange) => 'kept' | 'in part' | undefined
  } = {},
): Judge {
  return accepted((exchange) => {
    const breach = schemaBreach(`${operation}.response`, exchange.accepted, concerns)
    if (breach === undefined) return shows(exchange)
    return {
      message: 'the answer does not match its schema',
      expected: `the fields as in ${operation}.response.schema.json`,
      ...breach,
    }
  })
}

/** What is wrong with a value by that schema, at the paths that the requirement concerns. */
export function schemaBreach(
  schema: SchemaName,
  value: unknown,
  concerns: (path: string) => boolean = () => true,
): Pick<Breach, 'actual' | 'marks'> | undefined {
  const issues = issuesOf(schema, value).filter(({ path }) => concerns(path))
  if (issues.length === 0) return undefined
  return {
    actual: issues.map(({ message }) => message).join('; '),
    marks: { response: issues.map(({ path }) => inDots(path)) },
  }
}

/** Fields of the answer must equal parameters of the path: `[field, parameter]`. */
export function echoes(...pairs: readonly (readonly [field: string, parameter: string])[]): Judge {
  return acceptedWithMemory(() => {
    const spelled = pairs.map(() => new Set<Spelling>())
    return (exchange, facts) => {
      // Such a request should have been refused, which is another requirement.
      if (!pathExists(exchange, facts)) return undefined
      const judgements = pairs.map(([field, parameter], at): Judgement => {
        const found = valueAt(exchange.accepted, field)
        // A wrong type breaks another requirement.
        if (typeof found !== 'string') return undefined
        const expected = exchange.path[parameter] as string
        const as = spelled[at] as Set<Spelling>
        if (found === expected) as.add(spellingOf(found))
        return sameId(found, expected, field, facts, as)
      })
      const breach = judgements.find((judgement) => isObject(judgement))
      return breach ?? (judgements.every((judgement) => judgement === 'kept') ? 'kept' : undefined)
    }
  })
}

type Spelling = 'lower' | 'upper' | 'mixed' | 'without letters'

function spellingOf(id: string): Spelling {
  const [lower, upper] = [id === id.toLowerCase(), id === id.toUpperCase()]
  if (lower && upper) return 'without letters'
  return lower ? 'lower' : upper ? 'upper' : 'mixed'
}

/**
 * Whether an id is the expected one. The meaning of case is open. An id in another case is wrong if a fixture has it,
 * or if ids came back unchanged before in a case that this one does not have (`kept`).
 */
export function sameId(
  found: string,
  expected: string,
  field: string,
  facts: Facts,
  kept: ReadonlySet<Spelling> = new Set(),
): Judgement {
  if (found === expected) return 'kept'
  const isOwnWay = [...kept].every((way) => way === 'without letters' || way === spellingOf(found))
  const spelled = found.toLowerCase() === expected.toLowerCase() && isOwnWay && !facts.wasHandedOut(found)
  if (spelled) return facts.wasHandedOut(expected) ? 'kept' : undefined
  return wrongField(field, { message: `${field} has the wrong value`, expected: show(expected), found })
}
