/** Loads a configuration: reads, checks and completes what users write. */
import { type Issue, issuesOf } from '../../schemas/validators.ts'
import { at, type Fields, isObject, textAt } from '../../schemas/values.ts'
import { operations } from '../../specs/operations.ts'
import { hidden, secretHider } from '../redaction/hiding.ts'
import { actorNames } from './actors.ts'
import { completeConfiguration } from './complete-configuration.ts'
import { type Configuration, isLoopback } from './configuration.ts'
import { ConfigurationError, type Problem, unknownKey } from './configuration-error.ts'
import { missingPortals, ruleProblems } from './configuration-rules.ts'
import {
  type ConfigurationSource,
  type Filled,
  fillIn,
  readSource,
  type SourceDocument,
} from './configuration-source.ts'
import { environmentProxyProblems, portalAddressesOf } from './connection-settings.ts'

/** Options of the command line. They win over the file. */
export interface Overrides {
  /** The name of one of several targets. */
  readonly target?: string
  readonly baseUrl?: string
  readonly seed?: number
  readonly runs?: number
  /** Used if neither the command line nor the file sets the number of runs. */
  readonly defaultRuns?: number
  readonly concurrency?: number
  readonly timeLimit?: string
  readonly effects?: 'all' | readonly string[]
  /** The command sends nothing, so variables of credentials may be unset. */
  readonly nothingIsSent?: boolean
}

// Shorter credentials would hide ordinary words of the messages.
const shortestCredential = 6

// Each override with its path in the configuration and its option.
const overridable = [
  ['baseUrl', 'target.baseUrl', '--base-url'],
  ['seed', 'run.seed', '--seed'],
  ['runs', 'run.runs', '--runs'],
  ['concurrency', 'http.concurrency', '--concurrency'],
  ['timeLimit', 'run.timeLimit', '--time-limit'],
  ['effects', 'effects', '--effects'],
] as const

/**
 * The configuration with its environment, overrides and defaults. Throws a ConfigurationError that names every problem
 * with its place in the file. No message holds a credential.
 */
export function loadConfiguration(
  source: ConfigurationSource,
  overrides: Overrides,
  environment: NodeJS.ProcessEnv,
): Configuration {
  const document = documentOfTarget(readSource(source), overrides.target)
  const filled = fillIn(withOverrides(document.value, overrides), environment)
  const problems = filled.problems.filter(
    ({ path }) => !(overrides.nothingIsSent && /^(actors|administration)\./.test(path)),
  )
  const { value } = filled
  const unresolved = new Set(problems.map(({ path }) => path))
  const issues = issuesOf('configuration', value).filter(({ path }) => !unresolved.has(path))
  const reported = new Set([...unresolved, ...issues.map(({ path }) => path)])
  const rules = [
    ...ruleProblems(value, document.folder),
    ...environmentProxyProblems(value, environment),
    ...effectProblems(value, unresolved),
  ].filter(({ path }) => !reported.has(path))
  const missing = missingPortals(value).filter(({ path }) => !reported.has(path))
  const all = [...problems, ...missing, ...issues.map((issue) => issueProblem(issue, filled)), ...rules]
  if (all.length > 0) {
    // A credential in its right place may also be in a wrong one, which a message shows.
    const { text } = secretHider(credentialsIn(value), hidden)
    throw new ConfigurationError(lines(all, document, overrides).map(text))
  }
  return completeConfiguration(value as object, {
    folder: document.folder,
    defaultRuns: overrides.defaultRuns,
    environment,
  })
}

/** The value with the overrides. Variables of overridden keys may be unset. */
function withOverrides(value: unknown, overrides: Overrides): unknown {
  return overridable.reduce((result, [name, path]) => {
    const given = overrides[name]
    return given === undefined ? result : replaced(result, path.split('.'), given)
  }, value)
}

function replaced(value: unknown, [key, ...further]: string[], given: unknown): unknown {
  if (key === undefined) return given
  // The schema reports a value that is no object.
  if (value !== undefined && !isObject(value)) return value
  return { ...value, [key]: replaced(value?.[key], further, given) }
}

function issueProblem({ path, message, key, allowed }: Issue, { variables }: Filled): Problem {
  if (allowed !== undefined && key !== undefined) return { path, text: unknownKey(key, allowed) }
  const wording = path === '' ? message : message.slice(path.length + 2)
  // A value from the environment may be a secret in the wrong place, and so may nested values.
  const expectation = wording.replace(/ expected, .*$/s, ' expected')
  const names = variables.get(path)
  if (names === undefined) return { path, text: / expected, [[{]/.test(wording) ? expectation : wording }
  return {
    path,
    text: `${expectation}; the value comes from ${names.map((name) => `\${${name}}`).join(' and ')}`,
  }
}

function effectProblems(value: unknown, unresolved: ReadonlySet<string>): Problem[] {
  if (at(value, 'effects') !== undefined || unresolved.has('effects')) return []
  const remote = portalAddressesOf(value).find((url) => !isLoopback(url))
  if (remote === undefined) return []
  const list = operations.map(({ id, effect }) => `  ${id}: ${effect}`)
  const text = [
    `missing; ${new URL(remote).host} is not this machine, so say what the run may do there:`,
    ...list,
    `Allow everything with "effects: all" (--effects all), or some with "effects: [${operations[0].id}]" (--effects ${operations[0].id}).`,
  ]
  return [{ path: 'effects', text: text.join('\n') }]
}

function credentialsIn(value: unknown): string[] {
  return actorNames
    .flatMap((name) => ['credential', 'expired'].map((key) => textAt(value, 'actors', name, key)))
    .filter((credential) => credential !== undefined && credential.length >= shortestCredential) as string[]
}

/** One line for each problem, in the order of the file. Problems of the command line come first. */
function lines(problems: readonly Problem[], document: SourceDocument, overrides: Overrides): string[] {
  const placed = problems.map(({ path, text }) => {
    const override = overridable.find(([name, place]) => place === path && overrides[name] !== undefined)
    if (override) return { offset: -1, line: `${override[2]}: ${text}` }
    const { offset, name } = document.placeOf(path)
    return { offset, line: path === '' ? `${name}: ${text}` : `${name}: ${path}: ${text}` }
  })
  return [...new Set(placed.sort((one, other) => one.offset - other.offset).map(({ line }) => line))]
}

/** Names of the targets, in the order of the file; none if the configuration has a single target. */
export function targetNames({ value }: SourceDocument): string[] {
  const targets = at(value, 'targets')
  return isObject(targets) ? Object.keys(targets) : []
}

/**
 * The configuration of one target. Throws a ConfigurationError if there are several and none is named, or if the named
 * one does not exist.
 */
function documentOfTarget(document: SourceDocument, name: string | undefined): SourceDocument {
  const names = targetNames(document)
  const place = document.placeOf('targets').name
  if (names.length === 0) {
    if (name === undefined) return document
    throw new ConfigurationError([
      `${document.placeOf('').name}: --target ${name}: the configuration has no targets`,
    ])
  }
  const known = `the configuration is that of several targets: ${names.join(', ')}`
  if (name === undefined) {
    throw new ConfigurationError([
      `${place}: ${known}; choose one with --target NAME, or judge all with "portal-conformance fleet"`,
    ])
  }
  if (!names.includes(name)) throw new ConfigurationError([`${place}: --target ${name}: not there; ${known}`])
  const { targets, ...shared } = document.value as { targets: Fields }
  const ownPath = (path: string) => (path === '' ? `targets.${name}` : `targets.${name}.${path}`)
  return {
    folder: document.folder,
    value: merged(shared, targets[name]),
    placeOf: (path) =>
      document.holds(path) && !document.holds(ownPath(path))
        ? document.placeOf(path)
        : document.placeOf(ownPath(path)),
    holds: (path) => document.holds(path) || document.holds(ownPath(path)),
  }
}

/** Merges objects key by key. Any other value of the target replaces the shared one. */
function merged(shared: unknown, own: unknown): unknown {
  if (!isObject(shared) || !isObject(own)) return own ?? shared
  const keys = [...new Set([...Object.keys(shared), ...Object.keys(own)])]
  return Object.fromEntries(keys.map((key) => [key, merged(shared[key], own[key])]))
}
