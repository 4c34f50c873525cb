/** Paths of operations: filled in from fixtures, and read with the contract's names. */
import { type OperationId, operations } from '../specs/operations.ts'

/** The ids in a path, named as in fixtures. */
type Named = Readonly<Record<string, string | undefined>>

/** The paths in parts: text and parameters alternate. */
const parts: ReadonlyMap<OperationId, readonly string[]> = new Map(
  operations.map(({ id, path }) => [id, path.split(/\{(\w+)\}/)]),
)

/** The name of a path parameter in fixtures. */
const named = (parameter: string): string => parameter.replace(/ID$/, 'Id')

/** The path to send. Throws if an id is missing. */
export function pathTo(operation: OperationId, at: Named): string {
  return (parts.get(operation) ?? [])
    .map((part, place) => {
      if (place % 2 === 0) return part
      const value = at[named(part)]
      if (value === undefined) throw new Error(`${operation}: the path needs ${part}`)
      return encodeURIComponent(value)
    })
    .join('')
}

/** The ids in the path, by the contract's names. */
export function parametersIn(operation: OperationId, at: Named): Readonly<Record<string, string>> {
  const path: Record<string, string> = {}
  for (const [place, part] of (parts.get(operation) ?? []).entries()) {
    const value = place % 2 === 0 ? undefined : at[named(part)]
    if (value !== undefined) path[part] = value
  }
  return path
}
