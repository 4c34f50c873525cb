/** Whether and how a stream is written to in colour. */
import { styleText } from 'node:util'

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** Gives the text that look, or returns it as it is. */
export type Paint = (format: Format, text: string) => string

/** What is known of a stream that reports are written to. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export const plain: Paint = (_format, text) => text

const inColour: Paint = (format, text) => styleText(format, text, { validateStream: false })

/** Colours on a terminal that is not dumb, unless NO_COLOR is set; FORCE_COLOR decides where it is set (0 or false: none). */
export function paintFor({ isTTY }: Stream, environment: NodeJS.ProcessEnv): Paint {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted, TERM: term } = environment
  if (forced !== undefined) return forced === '0' || forced === 'false' ? plain : inColour
  return isTTY === true && !unwanted && term !== 'dumb' ? inColour : plain
}

const usualWidth = 100
const leastWidth = 40

/** How many characters a line may have: the columns of a terminal, never below 40; 100 elsewhere. */
export function widthOf({ isTTY, columns }: Stream): number {
  return Math.max(leastWidth, isTTY === true && columns ? columns : usualWidth)
}
