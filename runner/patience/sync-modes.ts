/** The mode of a sync as requests ask for it: its name and values are open, and the configuration settles them. */
import { type Configuration, longestOf } from '../../deployment/configuration/configuration.ts'
import type { RequestFields } from '../context/calls.ts'

const leastLongestMs = 60_000

/** How long a sync may go on at most before it proves nothing, in milliseconds. */
export const longestSyncOf = (configuration: Configuration): number =>
  Math.max(leastLongestMs, longestOf(configuration, 'synchronousSync'))

export type Mode = 'synchronous' | 'asynchronous'

/** The request that asks for a mode, as this deployment writes it; nothing where that is not settled. */
export function inMode(
  { configuration }: { readonly configuration: Configuration },
  mode: Mode,
): RequestFields {
  const { sync } = configuration.contract
  return sync === undefined ? {} : { [sync.parameter]: sync[mode] }
}

/** Every mode that can be asked for; one request will do where it is not settled how that is said. */
export const modesOf = ({ contract }: Configuration): readonly Mode[] =>
  contract.sync === undefined ? ['asynchronous'] : ['synchronous', 'asynchronous']

/** The mode that a request asks for, the one that is sent where it says nothing; undefined where that is not settled. */
export function modeOf(
  { sync }: Pick<Configuration['contract'], 'sync'>,
  request: RequestFields,
): Mode | undefined {
  if (sync === undefined) return undefined
  return request[sync.parameter] === sync.synchronous ? 'synchronous' : 'asynchronous'
}
