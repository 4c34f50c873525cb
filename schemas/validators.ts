/** Judges values by the schemas and says in words what is wrong with them. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { annotations, nameOf, type SchemaName, schemaNames, schemaOf } from './catalogue.ts'
import { pathOf, wordingOf } from './wording.ts'

/** A problem of a value. */
export interface Issue {
  /** The place, with dots and brackets from the root; the root is the empty text. Includes a missing or unknown key. */
  readonly path: string
  /** The keyword of the schema that the value violates. */
  readonly keyword: string
  /** The place, what we expected and what we found, as one line for users. */
  readonly message: string
  /** The missing or unknown key. */
  readonly key?: string
  /** The known keys, if `key` is unknown. */
  readonly allowed?: readonly string[]
}

/** A hostile answer can be wrong in millions of places. */
const mostIssues = 20
/** In larger values we look for the first issue only, so that errors cannot fill the memory. */
const mostValues = 10_000

/** The issues of a value by one of our schemas: at most 20, none if it is valid. */
export function issuesOf(name: SchemaName, value: unknown): Issue[] {
  return violationsOf(schemaOf(name), value)
}

/** The messages of `issuesOf`, such as `workspace.id: missing`. */
export function violations(name: SchemaName, value: unknown): string[] {
  return issuesOf(name, value).map(({ message }) => message)
}

/** As `issuesOf`, for any schema of the caller, which may refer to ours. Throws if the schema is invalid. */
export function violationsOf(schema: object, value: unknown): Issue[] {
  const validate = validatorOf(schema, isLarge(value) ? 'first' : 'all')
  if (validate(value)) return []
  const issues = new Map<string, Issue>()
  for (const error of validate.errors ?? []) {
    // "if" only repeats that then or else failed, and these have errors of their own.
    if (error.keyword === 'if') continue
    const issue = issueOf(error, value)
    issues.set(issue.message, issue)
    if (issues.size === mostIssues) break
  }
  // The errors hold the value, and the validator lives longer than the value.
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

function engine(thoroughness: Thoroughness): Ajv2020 {
  const ajv = engines.get(thoroughness) ?? createEngine({ allErrors: thoroughness === 'all' })
  engines.set(thoroughness, ajv)
  return ajv
}

/** The validators in use, by their schemas. */
const validators = {
  all: new WeakMap<object, ValidateFunction>(),
  first: new WeakMap<object, ValidateFunction>(),
}

function validatorOf(schema: object, thoroughness: Thoroughness): ValidateFunction {
  const known = validators[thoroughness]
  let validate = known.get(schema)
  if (validate === undefined) {
    const name = nameOf(schema)
    validate =
      name === undefined
        ? compiled(schema, engine(thoroughness))
        : (preparedValidator(name, thoroughness) ?? validatorIn(engine(thoroughness), name))
    known.set(schema, validate)
  }
  return validate
}

/** The validator of one of our schemas, compiled by the engine. */
export const validatorIn = (ajv: Ajv2020, name: SchemaName): ValidateFunction =>
  ajv.getSchema(schemaOf(name).$id as string) as ValidateFunction

let callersSchemas = 0

function compiled(schema: object, ajv: Ajv2020): ValidateFunction {
  // A new id, so that a changed copy of one of our schemas does not clash with the original.
  const $id = new URL(`own-${++callersSchemas}.schema.json`, schemaOf('error').$id).href
  const named = { ...schema, $id }
  const validate = ajv.compile(named)
  // Callers derive thousands of schemas, which the engine must not keep.
  ajv.removeSchema(named)
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

/** An engine with all schemas. It compiles a schema at its first use. */
export function createEngine(options: Pick<Options, 'allErrors' | 'code'>): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = load('ajv-formats') as typeof import('ajv-formats')
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    verbose: true,
    ownProperties: true,
    // Tests validate our schemas; compiling the meta-schema here would double the start-up time.
    validateSchema: false,
  })
  addFormats.default(ajv)
  ajv.addVocabulary([...annotations])
  ajv.addSchema(schemaNames.map(schemaOf))
  return ajv
}

/** Whether a validator looks for all issues, or stops at the first. */
type Thoroughness = 'all' | 'first'

/** The validators that runs need. Results are large: for them also one that stops at the first issue. */
export const prepared: readonly { readonly name: SchemaName; readonly thoroughness: Thoroughness }[] = [
  ...schemaNames
    .filter((name) => isOfRuns(name) || /\.(request|response)$/.test(name))
    .map((name) => ({ name, thoroughness: 'all' as const })),
  { name: 'results', thoroughness: 'first' },
]

/** The folder of prepared validators in a built package. Sources have none. */
export const preparedFolder = new URL('./prepared/', import.meta.url)

function isOfRuns(name: SchemaName): boolean {
  return ['configuration', 'profile', 'fixtures', 'reassign-items.error', 'journal', 'results'].includes(name)
}

export const fileOf = (name: SchemaName, thoroughness: Thoroughness): string => `${name}.${thoroughness}.cjs`

/** The prepared validator of that schema; undefined if there is none. */
export function preparedValidator(
  name: SchemaName,
  thoroughness: Thoroughness,
  folder = preparedFolder,
): ValidateFunction | undefined {
  if (!prepared.some((each) => each.name === name && each.thoroughness === thoroughness)) return undefined
  const file = fileURLToPath(new URL(fileOf(name, thoroughness), folder))
  return existsSync(file) ? (load(file) as ValidateFunction) : undefined
}
