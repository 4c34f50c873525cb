/** Exchanges and logs of a run, made by hand. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { type Asked, begunNow, type Effect, type Fold, RunExchange, RunLog } from './run-log.ts'

const target = {
  target: { baseUrl: 'https://portal.example/org/sharing/rest' },
  portals: { host: { id: 'host' }, guest: { id: 'guest' } },
} as unknown as Pick<Configuration, 'target' | 'portals'>

/** A request of a check to the host, with these form fields. */
export function askedFor(effect: Effect, fields: OutgoingRequest['fields'] = []): Asked {
  const sent: OutgoingRequest = { portal: 'host', path: '', fields }
  return { ...effect, sent, by: 'a check', begun: begunNow(effect, sent) }
}

/** A log with these folds. */
export const logOf = (...folds: readonly Fold[]): RunLog => new RunLog(target, folds)

/** The exchange of this request and answer, as the log of a run appends it. */
export const exchangeOf = (asked: Effect | Asked, answer: Answer): RunExchange =>
  new RunExchange('sent' in asked ? asked : askedFor(asked), answer, target)
