/** Looking again for what was found: the one loop that tries something again to tell how often it shows. */
import type { Sightings } from './check-result.ts'
import type { Situation } from './context/situations.ts'
import { Discarded, Finding, isOfTheTarget } from './findings.ts'

/** How often something is looked for, and when that ends. */
export interface Policy {
  /** Tries in all while it does not show. */
  readonly tries: number
  /** Tries in all once it showed; absent: as many. */
  readonly triesOnceSeen?: number
  /** Once it showed so often, it is looked for no more. */
  readonly times: number
  /** It must show at every try: looking ends at the first at which it does not. */
  readonly always?: boolean
  /** In which situations, one after the other; absent: in that of the check. */
  readonly situations?: readonly Situation[]
}

export const policies = {
  /** What one exchange proves is tried again only to say how often it shows. */
  howOften: { tries: 4, times: 1 },
  /** What the world may be to blame for must show a second time. */
  again: { tries: 1, times: 1 },
  /** What rests on the failure of another operation must show each time: that one may fail now and then. */
  eachTime: { tries: 4, times: 4, always: true },
  /**
   * What did not show at the next try may show now and then, or in one situation only: it must be seen one time more than
   * otherwise, so that no two accidents make a finding.
   */
  nowAndThen: {
    tries: 16,
    triesOnceSeen: 32,
    times: 2,
    situations: ['after-refusal', 'in-company', 'plain'],
  },
} as const satisfies Readonly<Record<string, Policy>>

/** Does something while other operations are performed. */
export type AmongOthers = <T>(look: () => Promise<T>) => Promise<T>

/** What looking again came to. */
export interface Seen extends Sightings {
  /** The last finding; absent: it was not seen as often as the policy asks. */
  readonly finding?: Finding
  /** What ended a try at which it had to show: undefined where the try simply held. */
  readonly missed?: { readonly end: Error | undefined }
}

/**
 * Tries it as the policy says; in company, among other operations as well. `look` rejects with the finding where it shows;
 * a try that proves nothing is not counted. Rejects with errors of the suite itself.
 */
export async function seen(
  policy: Policy,
  look: (situation: Situation) => Promise<void>,
  amongOthers: AmongOthers = (tried) => tried(),
): Promise<Seen> {
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
