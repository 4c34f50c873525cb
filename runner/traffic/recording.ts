/** All exchanges of the recordings in the order in which they were sent, each once, and the controls among them. Pure. */
import { createHash } from 'node:crypto'
import { credentialOf } from '../../clauses/credential.ts'
import type { Exchange } from '../../clauses/exchange.ts'
import type { Facts } from '../../clauses/facts.ts'
import { remembered } from '../remembered.ts'

/** In the order of their times; those without one at the end, as they stood. What two files hold of one exchange counts once. */
export function inOrder(exchanges: readonly Exchange[]): Exchange[] {
  const known = new Set<string>()
  const once = exchanges.filter((exchange) => {
    if (exchange.recorded.startedAt === undefined) return true
    const key = digestOf(exchange)
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
  return once.sort((one, other) => timeOf(one) - timeOf(other))
}

const timeOf = ({ recorded }: Exchange): number => recorded.startedAt ?? Number.MAX_VALUE

/** Equal for one exchange that was recorded twice: time, request and answer. */
function digestOf({ recorded: { startedAt, request, answer } }: Exchange): string {
  const { method, url, body } = request
  return createHash('sha256')
    .update(JSON.stringify([startedAt, method, url, body, answer?.status]))
    .update(answer?.body ?? '')
    .digest('base64')
}

/** What the rules may ask of the recording as a whole. */
export function recordingOf(exchanges: readonly Exchange[]): Pick<Facts, 'controlFor'> {
  const controls = new Map<string, Map<string, Exchange>>()
  return {
    controlFor: (exchange, parameter) => {
      if (credentialOf(exchange) === '') return undefined
      const ofParameter = remembered(controls, parameter, () => {
        const accepted = exchanges.filter((each) => each.accepted !== undefined && each.has(parameter))
        // Of several that are alike the first.
        return new Map(accepted.toReversed().map((each) => [keyOf(each, parameter), each]))
      })
      return ofParameter.get(keyOf(exchange, parameter))
    },
  }
}

/** Equal for exchanges that differ in nothing, or in that parameter alone. */
function keyOf(exchange: Exchange, parameter: string): string {
  const { operation, baseUrl, path, recorded } = exchange
  const others = recorded.form.fields
    .filter(([name]) => name !== parameter && name !== 'f' && name.toLowerCase() !== 'token')
    .map(([name, value]) => JSON.stringify([name, value]))
    .sort()
  const { method } = recorded.request
  return JSON.stringify([
    operation,
    baseUrl,
    path,
    method,
    recorded.form.kind,
    credentialOf(exchange),
    others,
  ])
}
