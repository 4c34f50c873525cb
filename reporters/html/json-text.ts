/** JSON as it came, with line breaks for readers and marks on what is at fault. Values are not read, so none changes. */
import { html, type Markup } from './markup.ts'

/** Whether the member or element at these keys is to be marked. */
export type IsMarked = (path: readonly string[]) => boolean

/** What the capture of evidence leaves at the end of a text that it had to cut. */
const cutEnd = /… \([^()]*\)$/

// A string (also one that the cut ended), a sign of structure, or any other word.
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g

const deepestIndent = 24

interface Level {
  readonly close: string
  /** Of the member or element that is being read. */
  key: string
  index: number
}

/** The text laid out and marked; undefined where it is no JSON, or more than whitespace would change. */
export function jsonMarkup(text: string, isMarked: IsMarked): Markup | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  const end = cutEnd.exec(text)?.[0] ?? ''
  if (end === '' && !parses(text)) return undefined
  const found = text.slice(0, text.length - end.length).match(tokens) ?? []
  return html`${laidOut(found, isMarked)}${end}`
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function laidOut(found: readonly string[], isMarked: IsMarked): Markup[] {
  const pieces: Markup[] = []
  const levels: Level[] = []
  let plain = ''
  const line = (): string => `\n${'  '.repeat(Math.min(levels.length, deepestIndent))}`
  const put = (text: string, marked: boolean): void => {
    if (!marked) {
      plain += text
      return
    }
    if (plain !== '') pieces.push(html`${plain}`)
    plain = ''
    pieces.push(html`<mark>${text}</mark>`)
  }
  const here = (): boolean =>
    levels.length > 0 &&
    isMarked(levels.map(({ close, key, index }) => (close === ']' ? String(index) : key)))
  for (let at = 0; at < found.length; at += 1) {
    const token = found[at] as string
    if (token === '{' || token === '[') {
      const close = token === '{' ? '}' : ']'
      const empty = found[at + 1] === close
      put(empty ? token + close : token, here())
      if (empty) at += 1
      else {
        levels.push({ close, key: '', index: 0 })
        plain += line()
      }
    } else if (token === '}' || token === ']') {
      levels.pop()
      plain += `${line()}${token}`
    } else if (token === ',') {
      const level = levels.at(-1)
      if (level !== undefined) level.index += 1
      plain += `,${line()}`
    } else if (token === ':') {
      plain += ': '
    } else if (found[at + 1] === ':' && levels.at(-1)?.close === '}') {
      ;(levels.at(-1) as Level).key = keyOf(token)
      put(token, here())
    } else {
      put(token, here())
    }
  }
  return plain === '' ? pieces : [...pieces, html`${plain}`]
}

function keyOf(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}
