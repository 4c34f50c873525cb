/** Reads values whose shape is not known yet. */

/** What stands under the keys; undefined where nothing does. */
export function at(value: unknown, ...keys: string[]): unknown {
  let current = value
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

/** The text that stands under the keys; undefined where there is none. */
export function textAt(value: unknown, ...keys: string[]): string | undefined {
  const found = at(value, ...keys)
  return typeof found === 'string' ? found : undefined
}
