/** Values that may be anything: what stands where in them. */

export type Fields = Readonly<Record<string, unknown>>

/** Whether it is an object with fields, and no array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the text is as JSON; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What stands under the keys, of which those of an array are numbers; undefined where nothing does. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let current = value
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Fields)[key]
  }
  return current
}

/** The text that stands under the keys; undefined where there is none. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys)
  return typeof found === 'string' ? found : undefined
}
