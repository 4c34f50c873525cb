/** Judges values by the schemas and says in words what is wrong with them. */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { annotations, type SchemaName, schemaNames, schemaOf } from './catalogue.ts'
import { pathOf, wordingOf } from './wording.ts'

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where, with dots and brackets from the root; the root is the empty text. A missing or unknown key is part of it. */
  readonly path: string
  /** The keyword of the schema that is violated. */
  readonly keyword: string
  /** Where, what was expected and what was found, as one line for users. */
  readonly message: string
  /** The key that is missing or unknown. */
  readonly key?: string
  /** The keys that are known, where `key` is unknown. */
  readonly allowed?: readonly string[]
}

/** A hostile answer can be wrong in millions of places. */
const mostIssues = 20
/** Beyond this many values only the first issue is looked for, so that the errors cannot fill the memory. */
const mostValues = 10_000

/** What is wrong with a value by one of our schemas; at most 20 issues, none when it is valid. */
export function issuesOf(name: SchemaName, value: unknown): Issue[] {
  return issuesFound((thoroughness) => validatorOf(name, thoroughness), value)
}

/** The messages of `issuesOf`, such as `workspace.id: missing`. */
export function violations(name: SchemaName, value: unknown): string[] {
  return issuesOf(name, value).map(({ message }) => message)
}

/** The same as `issuesOf` for a schema of the caller's own, which may refer to ours. Throws where the schema is bad. */
export function violationsOf(schema: object, value: unknown): Issue[] {
  const ours = schemaNames.find((name) => schemaOf(name) === schema)
  if (ours !== undefined) return issuesOf(ours, value)
  return issuesFound((thoroughness) => compile(engine(thoroughness), compiled[thoroughness], schema), value)
}

function issuesFound(choose: (thoroughness: Thoroughness) => ValidateFunction, value: unknown): Issue[] {
  const validate = choose(isLarge(value) ? 'first' : 'all')
  if (validate(value)) return []
  const issues = new Map<string, Issue>()
  for (const error of validate.errors ?? []) {
    // "if" only says that then or else failed, which have errors of their own.
    if (error.keyword === 'if') continue
    const issue = issueOf(error, value)
    issues.set(issue.message, issue)
    if (issues.size === mostIssues) break
  }
  // The errors hold the value: a validator that is kept must not keep it.
  validate.errors = null
  return [...issues.values()]
}

function issueOf(error: ErrorObject, root: unknown): Issue {
  const { keyword, params, instancePath, parentSchema } = error
  const key: string | undefined = params.missingProperty ?? params.additionalProperty
  const path = pathOf(root, instancePath, ...(key === undefined ? [] : [key]))
  const wording = wordingOf(error)
  const message = path === '' ? wording : `${path}: ${wording}`
  if (key === undefined) return { path, keyword, message }
  if (keyword !== 'additionalProperties') return { path, keyword, message, key }
  return { path, keyword, message, key, allowed: Object.keys(parentSchema?.properties ?? {}) }
}

const engines = new Map<Thoroughness, Ajv2020>()
const compiled = {
  all: new WeakMap<object, ValidateFunction>(),
  first: new WeakMap<object, ValidateFunction>(),
}

function engine(thoroughness: Thoroughness): Ajv2020 {
  const ajv = engines.get(thoroughness) ?? createEngine({ allErrors: thoroughness === 'all' })
  engines.set(thoroughness, ajv)
  return ajv
}

const validators = {
  all: new Map<SchemaName, ValidateFunction>(),
  first: new Map<SchemaName, ValidateFunction>(),
}

function validatorOf(name: SchemaName, thoroughness: Thoroughness): ValidateFunction {
  const known = validators[thoroughness]
  const validate =
    known.get(name) ??
    preparedValidator(name, thoroughness) ??
    (engine(thoroughness).getSchema(schemaOf(name).$id as string) as ValidateFunction)
  known.set(name, validate)
  return validate
}

let callersSchemas = 0

function compile(ajv: Ajv2020, known: WeakMap<object, ValidateFunction>, schema: object): ValidateFunction {
  let validate = known.get(schema)
  if (validate === undefined) {
    // An id of its own beside ours: a changed copy of one of our schemas must not clash with it.
    const $id = new URL(`own-${++callersSchemas}.schema.json`, schemaOf('error').$id).href
    const named = { ...schema, $id }
    validate = ajv.compile(named)
    // Callers derive schemas by the thousand: the engine must not keep them all.
    ajv.removeSchema(named)
    known.set(schema, validate)
  }
  return validate
}

function isLarge(value: unknown): boolean {
  let count = 0
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const key in next) {
      if (++count > mostValues) return true
      pending.push((next as Record<string, unknown>)[key])
    }
  }
  return false
}

const load = createRequire(import.meta.url)

/** Adding schemas compiles nothing: that happens when one is first used. */
export function createEngine(options: Pick<Options, 'allErrors' | 'code'>): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = load('ajv-formats') as typeof import('ajv-formats')
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    verbose: true,
    ownProperties: true,
    // Tests hold our schemas against the meta-schema; compiling it here would double the start-up time.
    validateSchema: false,
  })
  addFormats.default(ajv)
  ajv.addVocabulary([...annotations])
  ajv.addSchema(schemaNames.map(schemaOf))
  return ajv
}

/** Whether all that is wrong with a value is looked for, or only whether anything is. */
type Thoroughness = 'all' | 'first'

/** What runs validate: configuration and profile, requests, answers, the journal, and the results, which are large. */
export const prepared: readonly { readonly name: SchemaName; readonly thoroughness: Thoroughness }[] = [
  ...schemaNames
    .filter((name) => isOfRuns(name) || /\.(request|response)$/.test(name))
    .map((name) => ({ name, thoroughness: 'all' as const })),
  { name: 'results', thoroughness: 'first' },
]

/** Beside this file in a built package; where the sources run there is none. */
export const preparedFolder = new URL('./prepared/', import.meta.url)

function isOfRuns(name: SchemaName): boolean {
  return ['configuration', 'profile', 'reassign-items.error', 'journal', 'results'].includes(name)
}

export const fileOf = (name: SchemaName, thoroughness: Thoroughness): string => `${name}.${thoroughness}.cjs`

/** The validator of values of that schema; undefined where it was not prepared. */
export function preparedValidator(
  name: SchemaName,
  thoroughness: Thoroughness,
  folder = preparedFolder,
): ValidateFunction | undefined {
  if (!prepared.some((each) => each.name === name && each.thoroughness === thoroughness)) return undefined
  const file = fileURLToPath(new URL(fileOf(name, thoroughness), folder))
  return existsSync(file) ? (load(file) as ValidateFunction) : undefined
}
