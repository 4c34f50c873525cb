/** Several targets in one configuration: each is what all of them share, with its own values over it. */
import { ConfigurationError } from './configuration-error.ts'
import type { SourceDocument } from './configuration-source.ts'

type Fields = Readonly<Record<string, unknown>>

/** Names of the targets, in the order of the file; none where the configuration is that of one target. */
export function targetNames({ value }: SourceDocument): string[] {
  const targets = isObject(value) ? value.targets : undefined
  return isObject(targets) ? Object.keys(targets) : []
}

/**
 * The configuration of one of the targets. Throws a ConfigurationError where none is named although there are several,
 * or one that is not there.
 */
export function documentOfTarget(document: SourceDocument, name: string | undefined): SourceDocument {
  const names = targetNames(document)
  const place = document.placeOf('targets').name
  if (names.length === 0) {
    if (name === undefined) return document
    throw new ConfigurationError([
      `${document.placeOf('').name}: --target ${name}: the configuration has no targets`,
    ])
  }
  const known = `the configuration is that of several targets: ${names.join(', ')}`
  if (name === undefined) {
    throw new ConfigurationError([
      `${place}: ${known}; choose one with --target NAME, or judge all with "portal-conformance fleet"`,
    ])
  }
  if (!names.includes(name)) throw new ConfigurationError([`${place}: --target ${name}: not there; ${known}`])
  const { targets, ...shared } = document.value as { targets: Fields }
  const ownPath = (path: string) => (path === '' ? `targets.${name}` : `targets.${name}.${path}`)
  return {
    folder: document.folder,
    value: merged(shared, targets[name]),
    placeOf: (path) =>
      document.holds(path) && !document.holds(ownPath(path))
        ? document.placeOf(path)
        : document.placeOf(ownPath(path)),
    holds: (path) => document.holds(path) || document.holds(ownPath(path)),
  }
}

/** Objects are merged key by key; anything else of the target takes the place of what is shared. */
function merged(shared: unknown, own: unknown): unknown {
  if (!isObject(shared) || !isObject(own)) return own ?? shared
  const keys = [...new Set([...Object.keys(shared), ...Object.keys(own)])]
  return Object.fromEntries(keys.map((key) => [key, merged(shared[key], own[key])]))
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
