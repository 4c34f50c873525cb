/** Collaborations that somebody listed by hand and a run deletes: said before the first run, not after it. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'

const mostIds = 5

/** The warning; undefined where none is listed, or none may be deleted. */
export function deletionOfListed({
  fixtures,
  effects,
}: Pick<Configuration, 'fixtures' | 'effects'>): string | undefined {
  if (fixtures === undefined || !('static' in fixtures) || !effects.includes('delete-collaboration')) return
  const ids = (fixtures.static.collaboration ?? []).map(({ collaborationId }) => String(collaborationId))
  if (ids.length === 0) return
  const left = ids.length - mostIds
  const named = `${ids.slice(0, mostIds).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  return `a run deletes every collaboration that it takes from fixtures.static, with what it shares, also where it only \
adds to it: ${named}. To keep them, leave delete-collaboration out of effects`
}
