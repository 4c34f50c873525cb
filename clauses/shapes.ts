/**
 * Judges of accepted answers that all operations share: the response schema, and ids of the path that the answer
 * repeats.
 */

import type { SchemaName } from '../schemas/catalogue.ts'
import { issuesOf } from '../schemas/validators.ts'
import { at, isObject } from '../schemas/values.ts'
import { show } from '../schemas/wording.ts'
import type { OperationId } from '../specs/operations.ts'
import { pathExists } from './callers.ts'
import {
  accepted,
  acceptedWithMemory,
  type Breach,
  type Judge,
  type Judgement,
  wrongField,
} from './clause.ts'
import type { Exchange } from './exchange.ts'
import type { Facts } from './facts.ts'

/**
 * The accepted answer has the fields of its schema. `concerns`: which of them the requirement is about. `shows`: what an
 * answer shows that has them.
 */
export function shaped(
  operation: OperationId,
  {
    concerns,
    shows = () => 'kept',
  }: {
    readonly concerns?: (path: string) => boolean
    readonly shows?: (exchange: Exchange) => 'kept' | 'in part' | undefined
  } = {},
): Judge {
  return accepted((exchange) => {
    const breach = schemaBreach(`${operation}.response`, exchange.accepted, concerns)
    if (breach === undefined) return shows(exchange)
    return {
      message: 'the answer does not match its schema',
      expected: `the fields as in ${operation}.response.schema.json`,
      ...breach,
    }
  })
}

/** What is wrong with a value by that schema, at the paths that the requirement concerns. */
export function schemaBreach(
  schema: SchemaName,
  value: unknown,
  concerns: (path: string) => boolean = () => true,
): Pick<Breach, 'actual' | 'marks'> | undefined {
  const issues = issuesOf(schema, value).filter(({ path }) => concerns(path))
  if (issues.length === 0) return undefined
  return {
    actual: issues.map(({ message }) => message).join('; '),
    marks: { response: issues.map(({ path }) => path.replace(/\[(\d+)\]/g, '.$1')) },
  }
}

/** Fields of the answer must equal parameters of the path: `[field, parameter]`. */
export function echoes(...pairs: readonly (readonly [field: string, parameter: string])[]): Judge {
  return acceptedWithMemory(() => {
    const spelled = pairs.map(() => new Set<Spelling>())
    return (exchange, facts) => {
      // Such a request should have been refused, which is another requirement.
      if (!pathExists(exchange, facts)) return undefined
      const judgements = pairs.map(([field, parameter], at): Judgement => {
        const found = valueAt(exchange.accepted, field)
        // A wrong type breaks another requirement.
        if (typeof found !== 'string') return undefined
        const expected = exchange.path[parameter] as string
        const as = spelled[at] as Set<Spelling>
        if (found === expected) as.add(spellingOf(found))
        return sameId(found, expected, field, facts, as)
      })
      const breach = judgements.find((judgement) => isObject(judgement))
      return breach ?? (judgements.every((judgement) => judgement === 'kept') ? 'kept' : undefined)
    }
  })
}

type Spelling = 'lower' | 'upper' | 'mixed' | 'without letters'

function spellingOf(id: string): Spelling {
  const [lower, upper] = [id === id.toLowerCase(), id === id.toUpperCase()]
  if (lower && upper) return 'without letters'
  return lower ? 'lower' : upper ? 'upper' : 'mixed'
}

/**
 * Whether an id is the expected one. The meaning of case is open. An id in another case is wrong if a fixture has it,
 * or if ids came back unchanged before in a case that this one does not have (`kept`).
 */
export function sameId(
  found: string,
  expected: string,
  field: string,
  facts: Facts,
  kept: ReadonlySet<Spelling> = new Set(),
): Judgement {
  if (found === expected) return 'kept'
  const isOwnWay = [...kept].every((way) => way === 'without letters' || way === spellingOf(found))
  const spelled = found.toLowerCase() === expected.toLowerCase() && isOwnWay && !facts.wasHandedOut(found)
  if (spelled) return facts.wasHandedOut(expected) ? 'kept' : undefined
  return wrongField(field, { message: `${field} has the wrong value`, expected: show(expected), found })
}

/** The value at a path of keys, separated by dots. */
export function valueAt(root: unknown, path: string): unknown {
  return at(root, ...path.split('.'))
}
