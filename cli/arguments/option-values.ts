/** How a command declares its options, and how texts of a command line become values. */
import { type AddHelpTextContext, type Command, InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../../deployment/configuration/duration.ts'
import { formatNames } from '../../reporters/document.ts'
import { type ExitCode, failOnLevels, type Gate } from '../../reporters/exit-codes.ts'
import { operationIds } from '../../specs/operations.ts'
import type { CommandContext } from '../process/command-context.ts'

/** What a file in `cli/commands/` exports. */
export interface Declaration {
  /** Adds arguments, options, help and action. */
  declare(declaring: Declaring): void
}

export interface Declaring {
  /** The command; its help ends with this text. */
  readonly command: (help: string) => Command
  /** Makes an action of a function that takes arguments, options and context, and resolves with the exit code. */
  readonly does: <A extends unknown[]>(
    act: (...values: [...A, CommandContext]) => Promise<ExitCode>,
  ) => (...values: A) => Promise<void>
}

/** Wraps paragraphs to the width of the help. Indented lines, such as examples, stay as they are. */
export function helpProse(text: string): (context: AddHelpTextContext) => string {
  // Adjacent lines of prose are one paragraph.
  const paragraphs = text.replace(/(?<=^[^ \n].*)\n(?=[^ \n])/gm, ' ').split('\n')
  return ({ command }) => {
    const help = command.createHelp()
    const width = help.helpWidth ?? command.configureOutput().getOutHelpWidth?.() ?? 80
    return paragraphs
      .map((paragraph) => (paragraph.startsWith(' ') ? paragraph : help.boxWrap(paragraph, width)))
      .join('\n')
  }
}

export const reporterNames = ['terminal', 'json', ...formatNames] as const

export type ReporterName = (typeof reporterNames)[number]

/** A whole number from `least` to `most`. The configuration may limit it further. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^-?\d+$/.test(text) && value >= least && value <= most) return value
    const from = least === Number.MIN_SAFE_INTEGER ? '' : ` from ${least}`
    const to = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`
    throw new InvalidArgumentError(`A whole number${from}${to} is expected.`)
  }
}

/** A seed may be any whole number. */
export const anyWholeNumber = wholeNumber(Number.MIN_SAFE_INTEGER)

/** For repeatable options. */
export function collected(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text]
}

/** The parts between commas. */
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Known names between commas, at least one. `otherwise`: the error, for a name that is not known if there is one. */
const someOf =
  <Name extends string>(known: readonly Name[], otherwise: (unknown: string | undefined) => string) =>
  (text: string): Name[] => {
    const names = listOf(text)
    const unknown = names.find((name) => !known.some((each) => each === name))
    if (unknown === undefined && names.length > 0) return names as Name[]
    throw new InvalidArgumentError(otherwise(unknown))
  }

const effectNames = ['administration', ...operationIds]
const someEffects = someOf(
  effectNames,
  (unknown) => `There is no operation ${unknown}. Known are all, or some of ${effectNames.join(', ')}.`,
)

/** `all`, or operation ids between commas. */
function effectsOf(text: string): 'all' | string[] {
  if (text === 'all') return text
  return listOf(text).length === 0 ? [] : someEffects(text)
}

/** Names of reporters between commas. */
const reportersOf = someOf(reporterNames, (unknown) => {
  const what = unknown === undefined ? 'None is named.' : `There is no reporter ${unknown}.`
  return `${what} Known are ${reporterNames.join(', ')}.`
})

/** Levels between commas that a run also fails on. */
const failOnOf = someOf(
  failOnLevels,
  () => `One or more of ${failOnLevels.join(', ')} are expected, with commas between them.`,
)

/** A duration such as 90s, 30m or 8h, in milliseconds. */
export function durationOf(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms > 0) return ms
  throw new InvalidArgumentError('A duration is expected, such as 90s, 30m or 8h.')
}

/** A share of a list that several machines work on. */
export interface Share {
  /** From 1. */
  readonly index: number
  readonly count: number
}

/** `2/4`: the second of four. */
export function shareOf(text: string): Share {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new InvalidArgumentError('I/N is expected, such as 1/3 for the first of three shares.')
  }
  return { index, count }
}

export function withTarget(command: Command): Command {
  const named = command
    .option(
      '--config <FILE>',
      'configuration of the target, YAML or JSON (default: portal-conformance.yaml in this folder)',
    )
    .option('--target <NAME>', 'name of the target, if the configuration has several')
    .option('--reference', 'take the embedded portal as the target')
  return withOverrides(withPortal(named, ' (with --reference)'))
    .option('--seed <N>', 'override run.seed; the same seed sends the same requests', anyWholeNumber)
    .option('--runs <N>', 'override run.runs: cases of each generated check', wholeNumber(0))
    .addOption(
      new Option(
        '--quick',
        'the first check of each requirement, with one case: a first answer in seconds',
      ).conflicts('runs'),
    )
    .option('--concurrency <N>', 'override http.concurrency: requests at the same time', wholeNumber(1))
}

/** Options that override the configuration of a target. */
export function withOverrides(command: Command): Command {
  return command
    .option('--base-url <URL>', 'override target.baseUrl')
    .option(
      '--effects <LIST>',
      'override effects: all, or the operations that the run may perform, separated by commas',
      effectsOf,
    )
}

export function withPortal(command: Command, when = ''): Command {
  return command
    .option('--fault <ID>', `give the embedded portal a fault${when}; repeatable`, collected)
    .option('--variant <ID>', `give the embedded portal a permitted variant${when}; repeatable`, collected)
    .option('--latency <MS>', `delay every answer by MS milliseconds${when}`, wholeNumber(0))
}

export interface SelectionOptions {
  readonly operation?: readonly string[]
  readonly requirement?: readonly string[]
}

export function withSelection(command: Command): Command {
  return command
    .option('--operation <ID>', 'run only the checks of this operation; repeatable', collected)
    .option(
      '--requirement <GLOB>',
      'run only the checks of these requirements, such as add-workspace/*; repeatable',
      collected,
    )
}

/** The output folder of a run without --out. */
export const reportFolder = 'portal-conformance-report'

export interface ReportsOptions {
  readonly out: string
  readonly reporter: readonly ReporterName[]
}

/** Where results and reports go. */
export function withReports(command: Command): Command {
  return command
    .option('--out <DIR>', 'folder for results.json and the reports', reportFolder)
    .option(
      '--reporter <LIST>',
      `reports to write, separated by commas: ${reporterNames.join(', ')}`,
      reportersOf,
      ['terminal', 'json'],
    )
}

export type GateOptions = Pick<Gate, 'allowIncomplete' | 'allowInconclusive' | 'failOn'>

/** Options that decide what fails the command. */
export function withGate(command: Command): Command {
  return command
    .option('--allow-incomplete', 'exit 0 if nothing failed, even if something was not tested')
    .option('--allow-inconclusive', 'exit 0 if nothing failed, even if something was inconclusive')
    .option(
      '--fail-on <LIST>',
      `also fail on these, separated by commas: ${failOnLevels.join(', ')}`,
      failOnOf,
    )
}
