/** Lists of ids, cut where they would fill the screen. */

const mostNames = 12

/** The first names, and how many more there are. */
export function names(ids: readonly string[]): string {
  const left = ids.length - mostNames
  return left > 0 ? `${ids.slice(0, mostNames).join(', ')} and ${left} more` : ids.join(', ')
}
