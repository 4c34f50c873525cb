/** Values and paths in messages. They may come from a hostile target: short, on one line, nothing invisible. */

const longest = 60

/** A value as JSON, cut at 60 characters. Takes time and memory for what it shows only, whatever the value's size. */
export function shown(value: unknown): string {
  const text = visible(json(value, longest + 1))
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/** What kind of JSON value it is, for values that must not be shown. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The place that a JSON pointer leads to in a value, with dots and brackets: `error.details[1].itemId`. */
export function pathOf(root: unknown, pointer: string, ...further: string[]): string {
  let current = root
  let path = ''
  const keys = pointer.split('/').slice(1).map(unescaped)
  for (const key of [...keys, ...further]) {
    if (Array.isArray(current)) path += `[${key}]`
    else if (!/^[\w$-]{1,60}$/.test(key)) path += `[${shown(key)}]`
    else path += path === '' ? key : `.${key}`
    current = own(current, key)
  }
  return path
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

/** JSON that may stop once it is longer than the budget; each level costs a character, so depth is bounded too. */
function json(value: unknown, budget: number): string {
  if (budget <= 0) return ''
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, budget))
  if (typeof value !== 'object' || value === null) return String(value)
  const isArray = Array.isArray(value)
  let text = isArray ? '[' : '{'
  for (const key in value) {
    if (text.length > budget) break
    if (!Object.hasOwn(value, key)) continue
    if (text.length > 1) text += ','
    if (!isArray) text += `${JSON.stringify(key.slice(0, budget))}:`
    text += json((value as Record<string, unknown>)[key], budget - text.length)
  }
  return text + (isArray ? ']' : '}')
}

/** Control characters, direction marks and the like as escapes, so that no terminal or reader is misled. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  )
}

/** A value of a finding in one line of at most some 300 characters, with everything that does not print escaped. */
export function show(value: unknown): string {
  const text = (JSON.stringify(value) ?? 'nothing').replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/g,
    escaped,
  )
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
