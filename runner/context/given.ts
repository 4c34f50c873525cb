/** What a check is given: fixtures of the pool, and valid requests. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Loan } from '../pool/loan.ts'
import type { RequestFields } from './calls.ts'
import type { MadeUpIds } from './unknown.ts'
import type { ValidRequests } from './valid-requests.ts'

/** The declared kinds of fixtures, requests for several of a kind, and valid requests. */
export type Given<Kind extends FixtureKind> = {
  readonly [K in Kind]: (options?: Partial<FixtureOptions[K]>) => Promise<FixtureAnswers[K]>
} & ValidRequests &
  Pick<
    Loan,
    | 'different'
    | 'receiver'
    | 'receiverBeside'
    | 'collaborationToAddTo'
    | 'ownWorkspace'
    | 'withWorkspace'
    | 'inTurn'
    | 'shared'
    | 'once'
  > & {
    /** An ordinary accepted request. The first one made for a `key` serves all checks. */
    readonly accepted: <O extends Ordinary>(key: string, make: () => Promise<O>) => Promise<O>
    /** Marks what the check makes on the target. */
    readonly runId: string
    /** Ids of nothing. */
    readonly ids: MadeUpIds
  }

/** A request and its answer. */
export interface Ordinary {
  readonly request: RequestFields
  readonly answer: Answer
}

interface Giving extends Pick<Given<never>, 'runId' | 'ids'> {
  readonly loan: Loan
  readonly requests: ValidRequests
  /** Called with an answer of another check that this one uses. */
  readonly adopt: (answer: Answer) => void
}

/** What a check that declares those kinds is given. */
export function givenOf(
  kinds: readonly FixtureKind[],
  { loan, requests, runId, ids, adopt }: Giving,
): Given<FixtureKind> {
  const fixtures = Object.fromEntries(
    kinds.map((kind) => [kind, (options?: Partial<FixtureOptions[FixtureKind]>) => loan.take(kind, options)]),
  ) as Pick<Given<FixtureKind>, FixtureKind>
  return {
    ...fixtures,
    ...requests,
    runId,
    ids,
    different: (...wish) => loan.different(...wish),
    receiver: (...not) => loan.receiver(...not),
    receiverBeside: (one) => loan.receiverBeside(one),
    collaborationToAddTo: () => loan.collaborationToAddTo(),
    ownWorkspace: () => loan.ownWorkspace(),
    withWorkspace: (...use) => loan.withWorkspace(...use),
    inTurn: (...use) => loan.inTurn(...use),
    shared: (...making) => loan.shared(...making),
    once: (...making) => loan.once(...making),
    accepted: async (key, make) => {
      const { made, byOthers } = await loan.shared(key, make, ({ answer }) => isAccepted(answer))
      if (byOthers) adopt(made.answer)
      return made
    },
  }
}
