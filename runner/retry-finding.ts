/** Retries what was found to see how often it shows. The only loop that does so. */
import type { Sightings } from './check-result.ts'
import type { Situation } from './context/situations.ts'
import { Discarded, Finding, isOfTheTarget } from './findings.ts'

/** How often to retry, and when to stop. */
export interface RetryPolicy {
  /** The number of tries if it never shows. */
  readonly tries: number
  /** The number of tries once it showed. Default: the same number. */
  readonly triesOnceSeen?: number
  /** Stop when it showed this often. */
  readonly times: number
  /** It must show in every try. Stop at the first try without it. */
  readonly always?: boolean
  /** The situations, used in turn. Default: the check's own. */
  readonly situations?: readonly Situation[]
}

export const retryPolicies = {
  /** One exchange proves it, so retries only show how often it occurs. */
  howOften: { tries: 4, times: 1 },
  /** The environment may be the reason, so it must show a second time. */
  again: { tries: 1, times: 1 },
  /** It rests on a failure of another operation, which may be flaky, so it must show each time. */
  eachTime: { tries: 4, times: 4, always: true },
  /**
   * It did not show again at once, so it may be flaky or depend on a situation. It must show twice more, so that no two
   * accidents make a finding.
   */
  nowAndThen: {
    tries: 16,
    triesOnceSeen: 32,
    times: 2,
    situations: ['after-refusal', 'in-company', 'plain'],
  },
} as const satisfies Readonly<Record<string, RetryPolicy>>

/** Runs something while other operations are performed. */
export type AmongOthers = <T>(look: () => Promise<T>) => Promise<T>

/** The result of retrying. */
export interface RetryResult extends Sightings {
  /** The last finding. Absent: it did not show as often as required. */
  readonly finding?: Finding
  /** With `always`, the end of the try without it. Undefined: the try held. */
  readonly missed?: { readonly end: Error | undefined }
}

/**
 * Retries by the policy. `look` rejects with the finding if it shows. Inconclusive tries are not counted. Rejects with
 * errors of the suite.
 */
export async function retryFinding(
  policy: RetryPolicy,
  look: (situation: Situation) => Promise<void>,
  amongOthers: AmongOthers = (tried) => tried(),
): Promise<RetryResult> {
  const { tries: most, triesOnceSeen = most, always = false, situations = ['plain'] } = policy
  let [tries, times] = [0, 0]
  for (let time = 0; time < (times > 0 ? triesOnceSeen : most); time += 1) {
    const situation = situations[time % situations.length] as Situation
    const tried = () => endOf(() => look(situation))
    const end = await (situation === 'in-company' ? amongOthers(tried) : tried())
    if (end instanceof Finding) times += 1
    if (end === undefined || end instanceof Finding) tries += 1
    if (always && !(end instanceof Finding)) return { tries, times, missed: { end } }
    if (end instanceof Finding && times >= policy.times) return { tries, times, finding: end }
  }
  return { tries, times }
}

async function endOf(look: () => Promise<void>): Promise<Error | undefined> {
  try {
    await look()
    return undefined
  } catch (error) {
    if (error instanceof Discarded || isOfTheTarget(error)) return error
    throw error
  }
}
