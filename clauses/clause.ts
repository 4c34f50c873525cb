/** How an exchange speaks for a requirement. */
import { show } from '../schemas/wording.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { acceptance, describe } from './acceptance.ts'
import type { Exchange, Part } from './exchange.ts'
import type { Facts } from './facts.ts'
import { mostExchanges, Recent } from './recent.ts'

/** What is at fault in an exchange: parameters of the request, paths of fields in the answer. */
export interface Marks {
  readonly request?: readonly string[]
  readonly response?: readonly string[]
}

/** The exchange breaks the requirement. */
export interface Breach {
  readonly message: string
  readonly expected: string
  readonly actual: string
  /** What led to it, shown before it. */
  readonly before?: readonly Exchange[]
  /** It rests on a race or on how long something took: what shows once may have another cause. */
  readonly indirect?: true
  readonly marks?: Marks
}

/**
 * What an exchange shows: an instance that keeps the requirement, one that breaks it, or nothing. `in part`: it keeps the
 * requirement, of which it does not show the whole, as a name below the limit does of what is said of names up to the limit.
 */
export type Judgement = 'kept' | 'in part' | Breach | undefined

export type Look = (exchange: Exchange, facts: Facts) => Judgement

/** A judge begins anew for each run or recording; it is shown the exchanges in the order of their answers. */
export interface Judge {
  readonly begin: () => Look
  /** It rests on who calls, or on ids that the run made up: a recording does not tell that. */
  readonly runsOnly?: true
  /** It has something to say of accepted answers alone, or of those to one caller: the watch asks it of no others. */
  readonly acceptedOnly?: true
  readonly callerOnly?: Part
}

/** Judges of requirements of that operation, or of those that all have in common. */
export type JudgesOf<Subject extends string> = Readonly<
  Partial<Record<Extract<RequirementId, `${Subject}/${string}`>, Judge>>
>

/** A judge that looks at each exchange by itself. */
export const each = (look: Look): Judge => ({ begin: () => look })

/** A judge that remembers what it saw before. */
export const overTime = (begin: () => Look): Judge => ({ begin })

/** A judge of accepted answers that remembers what it saw before. */
export const acceptedOverTime = (begin: () => Look): Judge => ({
  acceptedOnly: true,
  begin: () => {
    const look = begin()
    return (exchange, facts) => (exchange.accepted === undefined ? undefined : look(exchange, facts))
  },
})

/** A judge of accepted answers. */
export const accepted = (look: Look): Judge => acceptedOverTime(() => look)

/** A clause that an accepted request of a certain kind keeps, and that no exchange can break. */
export const acceptedWhere = (holds: (exchange: Exchange) => boolean): Judge =>
  accepted((exchange) => (holds(exchange) ? 'kept' : undefined))

/**
 * Of `rivals` that ask for one thing at the same time at most one is accepted. `things`: what a request would use up.
 * `unlessAgainLater`: where a later request for what two have got is accepted too, winning uses nothing up, and shows
 * nothing from then on.
 */
export function atMostOneWins(
  things: (exchange: Exchange) => readonly string[],
  message: string,
  {
    rivals = () => true,
    unlessAgainLater = false,
  }: { rivals?: (one: Exchange, other: Exchange) => boolean; unlessAgainLater?: boolean } = {},
): Judge {
  return overTime(() => {
    const under = new Recent<readonly Exchange[]>(mostExchanges)
    const wonTwiceAt = new Recent<number>(mostExchanges)
    let usesNothingUp = false
    return (exchange) => {
      const { askedAt, answeredAt, answer } = exchange
      // What was sent twice may have been done the first time.
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
        actual: `${came(exchange)}; so was another that was sent ${Math.round(Math.abs(askedAt - (winner.askedAt as number)))} ms apart from it`,
        before: [winner],
        indirect: true,
      }
    }
  })
}

/** A field of the answer holds something else than it must. `expected`: what that is, in words. */
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
  marks: { response: [field] },
})

/** The answer in words; only for exchanges that have one. */
export function came({ answer }: Exchange): string {
  return answer === undefined ? 'no answer' : describe(answer)
}

/** Why an answer is no acceptance. */
export function whyNot({ answer }: Exchange): string {
  if (answer === undefined) return 'no answer'
  const read = acceptance(answer)
  return read.accepted ? 'accepted' : read.why
}
