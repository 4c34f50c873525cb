/** What a validator found, in words: what was expected and what was found. */
import type { ErrorObject } from 'ajv'
import type { JsonSchema } from './catalogue.ts'
import { kindOf, shown } from './shown.ts'

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

/** Limits of a size: the size was found, not the value. */
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
    case 'exclusiveMaximum':
      return `less than ${params.limit}`
    case 'anyOf':
    case 'oneOf':
      return 'one of the allowed forms'
    default:
      return `what ${keyword} demands (${message})`
  }
}

/** A secret is told by its kind only; where the number of fields is wrong, their names are what matters. */
function foundOf({ keyword, data }: ErrorObject, schema: JsonSchema): string {
  if (keyword.endsWith('Properties')) return Object.keys(data as object).join(', ') || 'nothing'
  return schema.writeOnly === true ? kindOf(data) : shown(data)
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
