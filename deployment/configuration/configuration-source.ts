/** Reads a configuration as it was written, with the place of each key in the file. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Document, LineCounter } from 'yaml'
import { pathOf } from '../../schemas/wording.ts'
import { whyUnreadable } from '../unreadable.ts'
import { ConfigurationError, type Problem } from './configuration-error.ts'

const load = createRequire(import.meta.url)
/** Loaded with the first file: a configuration from memory does not need it. */
const yaml = () => load('yaml') as typeof import('yaml')

/** A YAML or JSON file, or a value from a program with its name for messages. */
export type ConfigurationSource =
  | { readonly file: string }
  | { readonly value: unknown; readonly name: string }

export interface SourceDocument {
  readonly value: unknown
  /** Relative paths in the configuration start here. */
  readonly folder: string
  /** The place of that path in the source; of the nearest parent if the path is not there. */
  placeOf(path: string): Place
  /** Whether the file has that path. */
  holds(path: string): boolean
}

export interface Place {
  /** The file, with line and column if they are known. */
  readonly name: string
  /** Characters before it. */
  readonly offset: number
}

/** The value of the source. Throws a ConfigurationError if it cannot be read or is not YAML. */
export function readSource(source: ConfigurationSource): SourceDocument {
  if (!('file' in source)) {
    return {
      value: source.value,
      folder: process.cwd(),
      placeOf: () => ({ name: source.name, offset: 0 }),
      holds: () => false,
    }
  }
  const { file } = source
  const { LineCounter } = yaml()
  const lines = new LineCounter()
  const document = parse(file, contentOf(file), lines)
  const value = plainValue(file, document)
  const offsets = new Map<string, number>()
  collectOffsets(document.contents, [], (keys, offset) => {
    offsets.set(pathOf(value, '', ...keys), offset)
  })
  return {
    value,
    folder: dirname(resolve(file)),
    holds: (path) => offsets.has(path),
    placeOf: (path) => {
      let holder = path
      while (holder !== '' && !offsets.has(holder)) holder = holder.replace(/(?:\.?[^.[\]]+|\[[^[]*\])$/, '')
      const offset = offsets.get(holder)
      return offset === undefined ? { name: file, offset: 0 } : { name: place(file, lines, offset), offset }
    },
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const what = 'it is a folder; a configuration in YAML or JSON is expected'
    throw new ConfigurationError([`${file}: cannot be read: ${whyUnreadable(error, what)}`])
  }
}

function parse(file: string, content: string, lineCounter: LineCounter): Document {
  // Without prettyErrors: they quote the file, and the file may hold a secret.
  const document = yaml().parseDocument(content, { lineCounter, prettyErrors: false, merge: true })
  if (document.errors.length > 0) {
    throw new ConfigurationError(
      document.errors
        .sort((one, other) => one.pos[0] - other.pos[0])
        .map(({ pos, message }) => `${place(file, lineCounter, pos[0])}: not valid YAML: ${message}`),
    )
  }
  return document
}

function plainValue(file: string, document: Document): unknown {
  if (document.contents === null) throw new ConfigurationError([`${file}: is empty`])
  try {
    return document.toJS()
  } catch (error) {
    throw new ConfigurationError([`${file}: not valid YAML: ${(error as Error).message}`])
  }
}

function collectOffsets(
  node: unknown,
  keys: readonly string[],
  found: (keys: readonly string[], offset: number) => void,
): void {
  const { isAlias, isMap, isScalar, isSeq } = yaml()
  if (isAlias(node)) return
  const children = isMap(node)
    ? node.items.map(({ key, value }) => ({ name: isScalar(key) ? String(key.value) : '', at: key, value }))
    : isSeq(node)
      ? node.items.map((value, index) => ({ name: String(index), at: value, value }))
      : []
  for (const { name, at, value } of children) {
    const child = [...keys, name]
    const offset = (at as { range?: [number, number, number] } | null)?.range?.[0]
    if (offset !== undefined) found(child, offset)
    collectOffsets(value, child, found)
  }
}

function place(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `${file}:${line}:${col}`
}

export interface Filled {
  readonly value: unknown
  /** Paths of texts that refer to the environment, with the names of the variables. */
  readonly variables: ReadonlyMap<string, readonly string[]>
  /** One for each variable that is not set, and for each ${ that does not begin a variable. */
  readonly problems: readonly Problem[]
}

// $${ is a plain ${, so that any text can be written.
const reference = /\$\$\{|\$\{([A-Za-z_]\w*)\}|\$\{/g

/** A copy of the value with all variables filled in. Keys stay as they are. */
export function fillIn(root: unknown, environment: NodeJS.ProcessEnv): Filled {
  const variables = new Map<string, string[]>()
  const problems: Problem[] = []

  const fillText = (text: string, keys: readonly string[]): string => {
    if (!text.includes('${')) return text
    const path = pathOf(root, '', ...keys)
    const names: string[] = []
    const filled = text.replace(reference, (whole, name?: string) => {
      if (whole === '$${') return '${'
      if (name === undefined) {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the message explains this notation
        problems.push({ path, text: '${ must be followed by NAME}; a plain ${ is written $${' })
        return whole
      }
      names.push(name)
      const value = environment[name]
      if (value === undefined) problems.push({ path, text: `the environment variable ${name} is not set` })
      return value ?? whole
    })
    if (names.length > 0) variables.set(path, names)
    return filled
  }

  const fill = (value: unknown, keys: readonly string[]): unknown => {
    if (typeof value === 'string') return fillText(value, keys)
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...keys, String(index)]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, [...keys, key])]))
  }

  return { value: fill(root, []), variables, problems }
}
