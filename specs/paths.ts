/** Paths of operations (§4): filled in, read with the contract's names, and recognised in URLs. And what a URL is. */
import { type OperationId, operations } from './operations.ts'

/** The ids in a path, named as in fixtures. */
type Named = Readonly<Record<string, string | undefined>>

/** The name of a path parameter in fixtures. */
export const nameInFixtures = (parameter: string): string => parameter.replace(/ID$/, 'Id')

/** The paths in parts: text and parameters alternate. */
const parts: ReadonlyMap<OperationId, readonly string[]> = new Map(
  operations.map(({ id, path }) => [id, path.split(/\{(\w+)\}/)]),
)

/** The path to send. Throws if an id is missing. */
export function pathTo(operation: OperationId, at: Named): string {
  return (parts.get(operation) ?? [])
    .map((part, place) => {
      if (place % 2 === 0) return part
      const value = at[nameInFixtures(part)]
      if (value === undefined) throw new Error(`${operation}: the path needs ${part}`)
      return encodeURIComponent(value)
    })
    .join('')
}

/** The ids in the path, by the contract's names. */
export function parametersIn(operation: OperationId, at: Named): Readonly<Record<string, string>> {
  const path: Record<string, string> = {}
  for (const [place, part] of (parts.get(operation) ?? []).entries()) {
    const value = place % 2 === 0 ? undefined : at[nameInFixtures(part)]
    if (value !== undefined) path[part] = value
  }
  return path
}

export interface Recognised {
  readonly operation: OperationId
  /** Origin and path without a trailing slash. */
  readonly baseUrl: string
  /** The decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>
}

const templates = operations.map(({ id, path }) => ({
  operation: id,
  pattern: new RegExp(`${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** The operation of a URL, recognised by the end of its path; the rest is the base URL. */
export function recognise(url: URL): Recognised | undefined {
  for (const { operation, pattern } of templates) {
    const found = pattern.exec(url.pathname)
    if (found === null) continue
    const base = url.pathname.slice(0, found.index).replace(/\/+$/, '')
    const path = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decoded(text)])
    return { operation, baseUrl: url.origin + base, path: Object.fromEntries(path) }
  }
  return undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Whether a text is a URL, alone or relative to a base. `URL.canParse` of Node 20 and 22 answers wrongly for letters beyond
 * ASCII once it has been called some thousand times, so this parses.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base)
    return true
  } catch {
    return false
  }
}
