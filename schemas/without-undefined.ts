/** Optional members are absent or have a value, never undefined: schemas and types require it. */

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
