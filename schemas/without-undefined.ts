/** What is optional is absent where it is not known, never undefined: so the schemas say it, and so do the types. */

type WithoutUndefined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >
}

/** The object without those of its members that are undefined, the others in their order. */
export function withoutUndefined<const Members extends object>(members: Members): WithoutUndefined<Members> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as WithoutUndefined<Members>
}
