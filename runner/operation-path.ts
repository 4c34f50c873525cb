/** The path of an operation: filled in from what fixtures name, and by the names that the contract gives. */
import { type OperationId, operations } from '../specs/operations.ts'

/** What a path names, as fixtures name it. */
type Named = Readonly<Record<string, string | undefined>>

/** The paths, taken apart: text and parameters in turn. */
const parts: ReadonlyMap<OperationId, readonly string[]> = new Map(
  operations.map(({ id, path }) => [id, path.split(/\{(\w+)\}/)]),
)

/** As fixtures name a parameter of a path. */
const named = (parameter: string): string => parameter.replace(/ID$/, 'Id')

/** The path as it is sent. Throws where something that it names is not known. */
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

/** The parameters of the path, by the names that the contract gives them. */
export function parametersIn(operation: OperationId, at: Named): Readonly<Record<string, string>> {
  const path: Record<string, string> = {}
  for (const [place, part] of (parts.get(operation) ?? []).entries()) {
    const value = place % 2 === 0 ? undefined : at[named(part)]
    if (value !== undefined) path[part] = value
  }
  return path
}
