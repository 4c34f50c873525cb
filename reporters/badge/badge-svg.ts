/** A badge as a picture. */
import { makeBadge } from 'badge-maker'
import type { Badge } from './badge.ts'

/** SVG, in the usual look of badges. */
export function badgeSvg(badge: Badge): string {
  return `${makeBadge({ ...badge })}\n`
}
