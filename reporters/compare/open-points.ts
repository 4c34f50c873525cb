/** Where the sides do other things with what the contract leaves open. Pure; no side is right or wrong. */
import type { Observation } from '../../suites/check-result.ts'
import type { ResultsOfFile } from '../results-json.ts'
import type { ComparedOpenPoint } from './comparison.ts'

/** Every point that one side observed; observations are sets, in whatever order they were made. */
export function comparedOpenPoints(inputs: readonly ResultsOfFile[]): ComparedOpenPoint[] {
  const points = new Map<string, { first: Observation; observed: Set<string>[] }>()
  for (const [at, { results }] of inputs.entries()) {
    for (const observation of results.observations) {
      const key = JSON.stringify([observation.id, observation.operation])
      let point = points.get(key)
      if (point === undefined) {
        point = { first: observation, observed: inputs.map(() => new Set()) }
        points.set(key, point)
      }
      point.observed[at]?.add(observation.observed)
    }
  }
  return [...points.values()].map(({ first: { id, operation, question }, observed }) => {
    const sorted = observed.map((values) => [...values].sort())
    return { id, operation, question, observed: sorted, difference: differenceOf(sorted) }
  })
}

function differenceOf(observed: readonly (readonly string[])[]): ComparedOpenPoint['difference'] {
  const looked = observed.filter((values) => values.length > 0)
  if (new Set(looked.map((values) => JSON.stringify(values))).size > 1) return 'different'
  return looked.length === observed.length ? 'same' : 'partly'
}
