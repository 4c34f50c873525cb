/** The mode of a sync. The contract leaves its parameter and values open; the configuration settles them. */
import { type Configuration, longestOf } from '../../deployment/configuration/configuration.ts'
import type { RequestFields } from '../context/calls.ts'

const leastLongestMs = 60_000

/** The longest time that a sync may take, in ms. Longer ones prove nothing. */
export const longestSyncOf = (configuration: Configuration): number =>
  Math.max(leastLongestMs, longestOf(configuration, 'synchronousSync'))

export type Mode = 'synchronous' | 'asynchronous'

/** The parameter that asks for a mode. Empty if not settled. */
export function inMode(
  { configuration }: { readonly configuration: Configuration },
  mode: Mode,
): RequestFields {
  const { sync } = configuration.contract
  return sync === undefined ? {} : { [sync.parameter]: sync[mode] }
}

/** Every mode that can be requested. If not settled, one request stands for both. */
export const modesOf = ({ contract }: Configuration): readonly Mode[] =>
  contract.sync === undefined ? ['asynchronous'] : ['synchronous', 'asynchronous']

/** The mode that a request asks for, or the default one. Undefined if not settled. */
export function modeOf(
  { sync }: Pick<Configuration['contract'], 'sync'>,
  request: RequestFields,
): Mode | undefined {
  if (sync === undefined) return undefined
  return request[sync.parameter] === sync.synchronous ? 'synchronous' : 'asynchronous'
}
