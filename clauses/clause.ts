/** What a judge is: a function from an exchange and known facts to kept, breach or nothing. */
import { show } from '../schemas/wording.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { acceptance, describe } from './acceptance.ts'
import { type Exchange, isRefused } from './exchange.ts'
import type { Facts } from './facts.ts'
import { mostExchanges, Recent } from './recent.ts'

/** The parts of an exchange that are wrong: parameters of the request, paths of fields in the answer (`inDots`). */
export interface Marks {
  readonly request?: readonly string[]
  readonly response?: readonly string[]
}

/** The exchange breaks the requirement. */
export interface Breach {
  readonly message: string
  readonly expected: string
  readonly actual: string
  /** Earlier exchanges that belong to the evidence. */
  readonly before?: readonly Exchange[]
  /** The breach rests on a race or on timing, so a single sighting may have another cause. */
  readonly indirect?: true
  readonly marks?: Marks
}

/**
 * What an exchange shows of a requirement: kept, broken, or nothing (undefined). `in part`: the exchange keeps only a
 * part of the requirement. A name below the limit, for example, shows nothing about the limit.
 */
export type Judgement = 'kept' | 'in part' | Breach | undefined

export type Look = (exchange: Exchange, facts: Facts) => Judgement

/** A judge starts afresh for each run or recording and sees the exchanges in the order of their answers. */
export interface Judge {
  readonly begin: () => Look
  /** The judge needs the caller or made-up ids, which recordings do not show. */
  readonly runsOnly?: true
}

/** The judges of one operation, or of the protocol. */
export type JudgesOf<Subject extends string> = Readonly<
  Partial<Record<Extract<RequirementId, `${Subject}/${string}`>, Judge>>
>

/** A judge that looks at each exchange separately. */
export const each = (look: Look): Judge => ({ begin: () => look })

/** A judge that remembers earlier exchanges. */
export const withMemory = (begin: () => Look): Judge => ({ begin })

/** A judge of accepted answers that remembers earlier exchanges. */
export const acceptedWithMemory = (begin: () => Look): Judge =>
  withMemory(() => {
    const look = begin()
    return (exchange, facts) => (exchange.accepted === undefined ? undefined : look(exchange, facts))
  })

/** A judge of accepted answers. */
export const accepted = (look: Look): Judge => acceptedWithMemory(() => look)

/** A requirement that accepted requests of some kind keep and that no single exchange can break. */
export const acceptedWhere = (holds: (exchange: Exchange) => boolean): Judge =>
  accepted((exchange) => (holds(exchange) ? 'kept' : undefined))

/**
 * Something is accepted after something else happened to the same things. A refusal shows nothing, because it may have
 * other reasons. `happened`, `used`: the things to which an exchange did that.
 */
export function acceptedAfter({
  happened,
  used,
}: {
  readonly happened: (exchange: Exchange, facts: Facts) => readonly string[]
  readonly used: (exchange: Exchange, facts: Facts) => readonly string[]
}): Judge {
  return withMemory(() => {
    const before = new Recent<true>()
    return (exchange, facts) => {
      const things = exchange.accepted === undefined ? [] : used(exchange, facts)
      const isAfter = things.length > 0 && things.every((thing) => before.has(thing))
      for (const thing of happened(exchange, facts)) before.set(thing, true)
      return isAfter ? 'kept' : undefined
    }
  })
}

/** Combines several judges of one requirement. The first breach counts. */
export function allOf(...judges: readonly Judge[]): Judge {
  return {
    ...(judges.every(({ runsOnly }) => runsOnly) ? { runsOnly: true } : {}),
    begin: () => {
      const looks = judges.map(({ begin }) => begin())
      return (exchange, facts) => {
        const seen = looks.map((look) => look(exchange, facts))
        return (
          seen.find((judgement) => typeof judgement === 'object') ??
          (seen.includes('kept') ? 'kept' : undefined)
        )
      }
    },
  }
}

/**
 * Of `rivals` that ask for the same thing at the same time, at most one is accepted. `things`: what a request would use
 * up. `unlessAgainLater`: if a later request for a thing with two winners is accepted as well, winning uses nothing up
 * and the judge reports nothing from then on.
 */
export function atMostOneWins(
  things: (exchange: Exchange) => readonly string[],
  message: string,
  {
    rivals = () => true,
    unlessAgainLater = false,
  }: { rivals?: (one: Exchange, other: Exchange) => boolean; unlessAgainLater?: boolean } = {},
): Judge {
  return withMemory(() => {
    const under = new Recent<readonly Exchange[]>(mostExchanges)
    const wonTwiceAt = new Recent<number>(mostExchanges)
    let usesNothingUp = false
    return (exchange) => {
      const { askedAt, answeredAt, answer } = exchange
      // A retried request may have been performed the first time.
      if (askedAt === undefined || answeredAt === undefined || answer?.repeatedAfter !== undefined)
        return undefined
      const wins = exchange.accepted !== undefined
      const met = new Set<Exchange>()
      for (const thing of things(exchange)) {
        if (wins && askedAt >= (wonTwiceAt.get(thing) ?? Number.POSITIVE_INFINITY)) usesNothingUp = true
        const together = (under.get(thing) ?? []).filter((other) => askedAt < (other.answeredAt as number))
        under.set(thing, [...together, exchange])
        const against = together.filter((other) => rivals(exchange, other))
        for (const other of against) met.add(other)
        if (wins && against.some(({ accepted }) => accepted !== undefined)) wonTwiceAt.set(thing, answeredAt)
      }
      const winner = [...met].find(({ accepted }) => accepted !== undefined)
      if (!wins) return winner && 'kept'
      if (winner === undefined) return met.size > 0 ? 'kept' : undefined
      if (unlessAgainLater && usesNothingUp) return undefined
      return {
        message,
        expected: 'at most one accepted',
        actual: `${answerInWords(exchange)}; so was another that was sent ${Math.round(Math.abs(askedAt - (winner.askedAt as number)))} ms apart from it`,
        before: [winner],
        indirect: true,
      }
    }
  })
}

/**
 * What an answer shows to a request that must be refused. A refusal shows that only if `proves` says that it is about
 * the mistake in question.
 */
export function mustBeRefused(
  exchange: Exchange,
  proves: () => unknown,
  breach: Pick<Breach, 'message'> & Partial<Breach>,
): Judgement {
  if (isRefused(exchange)) return proves() ? 'kept' : undefined
  if (exchange.accepted === undefined) return undefined
  return { expected: 'a refusal', actual: answerInWords(exchange), ...breach }
}

/** A field of the answer has the wrong value. `expected`: the right value, in words. */
export const wrongField = (
  field: string,
  {
    message,
    expected,
    found,
  }: { readonly message: string; readonly expected: string; readonly found: unknown },
): Breach => ({
  message,
  expected: `${field}: ${expected}`,
  actual: `${field}: ${show(found)}`,
  marks: { response: [inDots(field)] },
})

/** `error.details.0.url` for `error.details[0].url`. */
export const inDots = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1')

/** The answer in words. */
export function answerInWords({ answer }: Exchange): string {
  return answer === undefined ? 'no answer' : describe(answer)
}

/** Why the answer is not accepted. */
export function whyNotAccepted({ answer }: Exchange): string {
  if (answer === undefined) return 'no answer'
  const read = acceptance(answer)
  return read.accepted ? 'accepted' : read.why
}
