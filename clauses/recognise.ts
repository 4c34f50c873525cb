/** Which operation (§4) a recorded request asks for, by the end of its path; what stands before is the base. Pure. */
import { type OperationId, operations } from '../specs/operations.ts'

export interface Recognised {
  readonly operation: OperationId
  /** Origin and path, without a slash at the end. */
  readonly baseUrl: string
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
}

const templates = operations.map(({ id, path }) => ({
  operation: id,
  pattern: new RegExp(`${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** The operation that the URL names, under whatever base. */
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
