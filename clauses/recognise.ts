/** Finds the operation (§4) of a recorded request by the end of its path; the rest is the base URL. Pure. */
import { type OperationId, operations } from '../specs/operations.ts'

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

/** The operation of a URL, under any base URL. */
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
