/** When a request comes: right after one that was refused, or beside one. What is wrong then only is missed by who looks once. */
import type { Answer } from '../../deployment/http/exchange.ts'
import { tries } from '../effort.ts'
import { Finding, isOfTheTarget, mustBeRefused } from '../findings.ts'

/**
 * What goes before each request of a look, or beside it; `plain`: nothing. `after-the-same`: what goes before asks for the
 * very same, in place of nothing, by one after the other who must be refused.
 */
export type Situation = 'plain' | 'after-refusal' | 'in-company' | 'both' | 'after-the-same'

const words: Readonly<Record<Situation, string>> = {
  plain: '',
  'after-refusal': ', right after a refused request on the same path',
  'in-company': ', beside a refused request',
  both: ', right after a refused request on the same path and beside another',
  'after-the-same': ', right after a refused request for the same',
}

/** Looks beyond the first, in this order: where time allows for few of them these are the first ones. */
const further: readonly Situation[] = ['after-refusal', 'in-company', 'plain', 'after-refusal', 'plain']

/** The situations of a check in a run of so many cases, the plain one first; so many of them at most. */
export function situationsOf(runs: number, most: number): readonly Situation[] {
  if (!tries('short', { runs })) return ['plain']
  const all = ['plain', ...(tries('thorough', { runs }) ? further : further.slice(0, 2))] as const
  return all.slice(0, most)
}

/** What the requests of one attempt of a check come in. It has one situation at a time: looks follow one another. */
export class SituationOfAttempt {
  #now: Situation = 'plain'

  get now(): Situation {
    return this.#now
  }

  /**
   * Looks with each request of the attempt in this situation; `plain`: in that which it is in. What it finds says so.
   * Rejects with an error where two looks of one attempt in situations of their own are under way at once.
   */
  readonly during: InSituation = async (situation, look) => {
    if (situation === 'plain') return look()
    const before = this.#now
    this.#now = situation
    const [end] = await Promise.allSettled([look()])
    if (this.#now !== situation) throw new Error(`a look ${situation} met another of the same attempt`)
    this.#now = before
    if (end.status === 'fulfilled') return end.value
    const error: unknown = end.reason
    if (!(error instanceof Finding) || error.grounds.namesSituation) throw error
    throw error.with({ namesSituation: true }, error.message + words[situation])
  }
}

export type InSituation = <T>(situation: Situation, look: () => Promise<T>) => Promise<T>

/**
 * Looks once, and then in each of these situations. Only the first look says that nothing can be proved: in a further one
 * that is left aside, as is a fixture that is not there.
 */
export async function lookIn(
  situations: readonly Situation[],
  look: () => Promise<void>,
  { during, goesOn }: { readonly during: InSituation; readonly goesOn: () => boolean },
): Promise<void> {
  await look()
  for (const situation of situations.slice(1)) {
    if (!goesOn()) return
    await besides(() => during(situation, look))
  }
}

/** Does what is looked at besides: what it finds counts, and that nothing can be proved does not. */
export async function besides(look: () => Promise<unknown>): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (error instanceof Finding || !isOfTheTarget(error)) throw error
  }
}

const letIn = 'who must be refused was let in, where a refusal was to come before the request'

/** What is refused comes before a request, or beside it, whatever it asks for; or it asks for the same, before it. */
export type Refused = 'before' | 'beside' | 'the same'

/** Sends a request in this situation. `refused` sends one that must be refused; where it is not, nothing is proved. */
export async function sentInSituation<A extends Answer>(
  situation: Situation,
  ask: () => Promise<A>,
  refused: (what: Refused) => Promise<Answer>,
): Promise<A> {
  if (situation === 'plain') return ask()
  if (situation === 'after-the-same') {
    mustBeRefused(await refused('the same'), letIn)
    return ask()
  }
  if (situation !== 'in-company') mustBeRefused(await refused('before'), letIn)
  if (situation === 'after-refusal') return ask()
  // Sent first, so that it is being served when the other comes.
  const [beside, answer] = await Promise.all([refused('beside'), ask()])
  mustBeRefused(beside, letIn)
  return answer
}
