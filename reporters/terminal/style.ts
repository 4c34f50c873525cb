/** How things look on a terminal, and whether a stream is written to in colour. */
import { styleText } from 'node:util'
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { signed } from '../wording.ts'

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

/** What a report is written for. */
export interface Page {
  /** Characters in a line; commands may be longer. */
  readonly width: number
  readonly paint: Paint
}

/** The page that suits a stream. */
export function pageFor(stream: Stream, environment: NodeJS.ProcessEnv): Page {
  return { width: widthOf(stream), paint: paintFor(stream, environment) }
}

const formats: Record<Outcome, Format> = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  inconclusive: 'magenta',
  'not-tested': 'cyan',
  'not-applicable': 'dim',
  waived: 'yellow',
}

const longest = Math.max(...outcomes.map((outcome) => signed(outcome).length))

/** `✓ passed`, as wide as the other outcomes that stand in its column. */
export function signedInColumn(outcome: Outcome): string {
  return signed(outcome).padEnd(longest)
}

/** The look of an outcome. */
export function formatOf(outcome: Outcome): Format {
  return formats[outcome]
}
