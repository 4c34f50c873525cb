/** Situations of requests: right after a refused request, or beside one. Some faults show only there. */
import type { Answer } from '../../deployment/http/exchange.ts'
import { isQuick, isThorough } from '../effort.ts'
import { Finding, isOfTheTarget, mustBeRefused } from '../findings.ts'
import type { Identity } from './calls.ts'

/**
 * What is sent before or beside each request. `after-the-same`: the same request is first sent by callers that must be
 * refused.
 */
export type Situation = 'plain' | 'after-refusal' | 'in-company' | 'both' | 'after-the-same'

/** What is refused: an anonymous, empty request on the same path, or the same request by a wrong caller. */
type Refused = 'empty' | 'the same'

/** What is refused before each request, whether another one is refused beside it, and how findings say so. */
const accompanied: Readonly<
  Record<Situation, { readonly before?: Refused; readonly beside?: true; readonly words: string }>
> = {
  plain: { words: '' },
  'after-refusal': { before: 'empty', words: ', right after a refused request on the same path' },
  'in-company': { beside: true, words: ', beside a refused request' },
  both: {
    before: 'empty',
    beside: true,
    words: ', right after a refused request on the same path and beside another',
  },
  'after-the-same': { before: 'the same', words: ', right after an equal request was refused' },
}

/** Situations after the first try, in order of usefulness, since short runs take only the first ones. */
const furtherSituations: readonly Situation[] = [
  'after-refusal',
  'in-company',
  'plain',
  'after-refusal',
  'plain',
]

/** The situations of a check in a run with that many cases, plain first, at most `most`. */
export function situationsOf(runs: number, most: number): readonly Situation[] {
  if (isQuick({ runs })) return ['plain']
  const all = [
    'plain',
    ...(isThorough({ runs }) ? furtherSituations : furtherSituations.slice(0, 2)),
  ] as const
  return all.slice(0, most)
}

/** The situation of an attempt's requests. An attempt has one situation at a time. */
export class SituationOfAttempt {
  #now: Situation = 'plain'

  get now(): Situation {
    return this.#now
  }

  /**
   * Runs `look` with all requests in that situation. `plain` keeps the current one. A finding names its situation.
   * Rejects with an error if two situations of one attempt overlap.
   */
  readonly during: InSituation = async (situation, look) => {
    if (situation === 'plain') return look()
    const before = this.#now
    this.#now = situation
    const [end] = await Promise.allSettled([look()])
    if (this.#now !== situation)
      throw new Error(`a situation (${situation}) met another one of the same attempt`)
    this.#now = before
    if (end.status === 'fulfilled') return end.value
    const error: unknown = end.reason
    if (!(error instanceof Finding) || error.grounds.namesSituation) throw error
    throw error.with({ namesSituation: true }, error.message + accompanied[situation].words)
  }
}

export type InSituation = <T>(situation: Situation, look: () => Promise<T>) => Promise<T>

/** Runs `look`, then again in each other situation. Only the first try can make the check inconclusive. */
export async function lookInSituations(
  situations: readonly Situation[],
  look: () => Promise<void>,
  { during, goesOn }: { readonly during: InSituation; readonly goesOn: () => boolean },
): Promise<void> {
  await look()
  for (const situation of situations.slice(1)) {
    if (!goesOn()) return
    await asExtra(() => during(situation, look))
  }
}

/** Runs an extra try: its findings count, but an inconclusive end does not. */
export async function asExtra(look: () => Promise<unknown>): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (error instanceof Finding || !isOfTheTarget(error)) throw error
  }
}

const wronglyAccepted =
  'a caller who must be refused was accepted just before the request, so nothing is judged'

/** Sends a request in that situation. `refused` sends one that must be refused; if it is accepted, nothing is proved. */
export async function sentInSituation<A extends Answer>(
  situation: Situation,
  ask: () => Promise<A>,
  refused: (what: Refused) => Promise<Answer>,
): Promise<A> {
  const { before, beside } = accompanied[situation]
  if (before !== undefined) mustBeRefused(await refused(before), wronglyAccepted)
  if (!beside) return ask()
  // The refused request goes first, so that it is being served when the other one comes.
  const [companion, answer] = await Promise.all([refused('empty'), ask()])
  mustBeRefused(companion, wronglyAccepted)
  return answer
}

/** A caller without a credential. */
export const anonymous: Identity = { actor: 'anonymous', portal: 'host' }
