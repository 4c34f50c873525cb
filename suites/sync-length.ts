/** How long syncs and their answers take, in ms. */
import type { FixtureAnswers } from '../target/fixtures/fixture-kinds.ts'
import type { Answer } from '../target/http/exchange.ts'

/** The longest that a sync of that workspace takes; where its fixture does not say it, `unknownMs` beyond the least. */
export const longestSync = (
  { minimumSyncMs, maximumSyncMs }: Pick<FixtureAnswers['workspace'], 'minimumSyncMs' | 'maximumSyncMs'>,
  unknownMs: number,
): number => maximumSyncMs ?? minimumSyncMs + unknownMs

/** From the request to the end of its answer. */
export const took = ({ sentAt, answeredAt }: Answer): number => answeredAt - sentAt
