/** Errors of a validator in words, what we expected and what we found, and values as text that misleads no reader. */
import type { ErrorObject } from 'ajv'
import type { JsonSchema } from './catalogue.ts'
import { at } from './values.ts'

/** Keywords whose expectation `x-expected` says better. */
const described = ['type', 'pattern', 'format', 'const', 'enum', 'minProperties', 'maxProperties']

const formats: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  uri: 'URL',
  'date-time': 'date and time such as 2025-06-15T12:00:00Z',
}

/** The error in words, without its place. The error must be verbose: it holds the value and the schema. */
export function wordingOf(error: ErrorObject): string {
  const { keyword } = error
  const schema = (error.parentSchema ?? {}) as JsonSchema
  if (keyword === 'required') return 'missing'
  if (keyword === 'additionalProperties')
    return `unknown; known are ${Object.keys(schema.properties ?? {}).join(', ')}`
  const expected = schema['x-expected']
  if (expected !== undefined && described.includes(keyword))
    return `${expected} expected, ${foundOf(error, schema)} found`
  return measured(error) ?? `${expectedBy(error)} expected, ${foundOf(error, schema)} found`
}

/** For limits of a size, the message shows the size, not the value. */
function measured({ keyword, params, data }: ErrorObject): string | undefined {
  const limit = params.limit as number
  switch (keyword) {
    case 'maxLength':
    case 'minLength':
      return sized(keyword, limit, 'character', codePoints(data as string))
    case 'maxItems':
    case 'minItems':
      return sized(keyword, limit, 'item', (data as unknown[]).length)
    case 'maxProperties':
    case 'minProperties':
      return sized(keyword, limit, 'field', Object.keys(data as object).length)
    case 'uniqueItems':
      return `distinct items expected, items ${params.j} and ${params.i} are equal`
    default:
      return undefined
  }
}

function sized(keyword: string, limit: number, unit: string, found: number): string {
  const bound = keyword.startsWith('max') ? 'at most' : 'at least'
  return `${bound} ${limit} ${unit}${limit === 1 ? '' : 's'} expected, ${found} found`
}

function expectedBy({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return [params.type].flat().join(' or ')
    case 'const':
      return shown(params.allowedValue)
    case 'enum':
      return `one of ${(params.allowedValues as unknown[]).map(shown).join(', ')}`
    case 'pattern':
      return `text that matches ${params.pattern}`
    case 'format':
      return formats[params.format as string] ?? `text of the format ${params.format}`
    case 'minimum':
      return `at least ${params.limit}`
    case 'maximum':
      return `at most ${params.limit}`
    case 'exclusiveMinimum':
      return `more than ${params.limit}`
    default:
      return `what ${keyword} demands (${message})`
  }
}

/** Of a secret, the message shows the kind only; of an object with too few or too many fields, the names of the fields. */
function foundOf({ keyword, data }: ErrorObject, schema: JsonSchema): string {
  if (keyword.endsWith('Properties')) return Object.keys(data as object).join(', ') || 'nothing'
  return schema.writeOnly === true ? kindOf(data) : shown(data)
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const longest = 60

/** A value as JSON, cut at 60 characters. Time and memory do not depend on the size of the value. */
export function shown(value: unknown): string {
  const text = safeText(json(value, longest + 1))
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The kind of a JSON value, for values that must not be shown. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The place of a JSON pointer in a value, with dots and brackets: `error.details[1].itemId`. */
export function pathOf(root: unknown, pointer: string, ...further: string[]): string {
  let current = root
  let path = ''
  const keys = pointer.split('/').slice(1).map(unescaped)
  for (const key of [...keys, ...further]) {
    if (Array.isArray(current)) path += `[${key}]`
    else if (!/^[\w$-]{1,60}$/.test(key)) path += `[${shown(key)}]`
    else path += path === '' ? key : `.${key}`
    current = at(current, key)
  }
  return path
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** JSON that stops when it is longer than the budget. Each level costs a character, so depth is bounded too. */
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

// Controls, formatting (direction marks above all), separators of lines and paragraphs, halves of surrogate pairs, and
// what no document may hold.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu

/** The text on one line, with what could mislead a terminal or its reader as escapes such as `\u{1b}`. */
export function safeText(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`)
}

/** A value of a finding in one line of about 300 characters at most, with unprintable characters escaped. */
export function show(value: unknown): string {
  const text = safeText(JSON.stringify(value) ?? 'nothing')
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}
