/** The lines of the live view, for a window of a given size. */
import { titleOf } from '../wording.ts'
import type { RunState, SubjectState } from './run-state.ts'
import type { Format, Paint } from './style.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** From so many columns on operations are called by their titles, and by their ids below. */
const wide = 70
const mostBar = 24
const leastBar = 8

/** Operations, checks under way and totals: fewer lines than the window has, each shorter than it is wide. */
export function liveLines(state: RunState, { columns, rows }: Size, paint: Paint, now: number): string[] {
  const width = columns - 1
  const totals = packed(totalsOf(state, width, now), width)
  const room = rows - 1 - totals.length
  if (room <= 0) return totals.slice(0, Math.max(1, rows - 1))
  const { subjects } = state
  const current = currentLine(state, width)
  const beside = current === undefined ? [] : [paint('dim', current)]
  if (subjects.length + beside.length <= room)
    return [...subjectLines(subjects, width, paint), ...beside, ...totals]
  const open = subjects.filter(({ done, total }) => done < total)
  if (open.length <= room) return [...subjectLines(open, width, paint), ...totals]
  return totals
}

function subjectLines(subjects: readonly SubjectState[], width: number, paint: Paint): string[] {
  const nameOf = ({ subject }: SubjectState): string => (width >= wide ? titleOf(subject) : subject)
  const longest = Math.max(...subjects.map((state) => nameOf(state).length))
  const digits = Math.max(...subjects.map(({ total }) => String(total).length))
  return subjects.map((state) => {
    const { done, total, failed } = state
    const count = `${String(done).padStart(digits)}/${String(total).padEnd(digits)}`
    const [sign, format] = lookOf(state)
    const line = `${sign} ${nameOf(state).padEnd(longest)}  ${count}${failed > 0 ? `  ${failed} failed` : ''}`
    const short = cut(line.trimEnd(), width)
    return format === undefined ? short : paint(format, short)
  })
}

function lookOf({ done, total, failed }: SubjectState): [sign: string, format?: Format] {
  if (failed > 0) return ['✗', 'red']
  return done === total ? ['✓', 'green'] : [' ']
}

function currentLine(state: RunState, width: number): string | undefined {
  const { names, others } = state.current()
  if (names.length === 0) return undefined
  const indent = '  '
  for (let count = names.length; count > 0; count -= 1) {
    const left = others + names.length - count
    const line = `${indent}${names.slice(0, count).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
    if (line.length <= width) return line
  }
  return cut(indent + names[0], width)
}

function totalsOf(state: RunState, width: number, now: number): string[] {
  const { done, total, failed, requests, rate, underWay } = state
  const share = total === 0 ? 1 : done / total
  const left = state.timeLeft(now)
  return [
    `${barOf(share, width)} ${Math.floor(share * 100)}%`,
    `${done}/${total} checks`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(underWay ? [`${requests} requests`] : ['starting']),
    ...(rate === undefined ? [] : [`${Math.round(rate)}/s`]),
    ...(left === undefined || done === total ? [] : [`about ${inWords(left)} left`]),
  ]
}

function barOf(share: number, width: number): string {
  const length = Math.max(leastBar, Math.min(mostBar, Math.floor(width / 4)))
  return `[${'='.repeat(Math.floor(share * length)).padEnd(length)}]`
}

function inWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** The parts in as few lines as hold them. */
function packed(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const joined = `${last}, ${part}`
    if (last !== undefined && joined.length <= width) lines[lines.length - 1] = joined
    else lines.push(cut(part, width))
  }
  return lines
}

function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return width < 1 ? '' : `${text.slice(0, width - 1)}…`
}
