/** Reads values of unknown shape, and leaves out undefined members. */

export type Fields = Readonly<Record<string, unknown>>

/** Whether the value is an object and no array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON text; undefined if the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value under the keys (numbers for arrays); undefined if there is none. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let current = value
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Fields)[key]
  }
  return current
}

/** The value at a path of keys, separated by dots. */
export const valueAt = (root: unknown, path: string): unknown => at(root, ...path.split('.'))

/** The text under the keys; undefined if there is none. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys)
  return typeof found === 'string' ? found : undefined
}

type WithoutUndefined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >
}

/** The object without its undefined members. The others keep their order. */
export function withoutUndefined<const Members extends object>(members: Members): WithoutUndefined<Members> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as WithoutUndefined<Members>
}

/** The items by key, in the order of the first occurrence of each key. */
export function byKey<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
