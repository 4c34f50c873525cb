/** `requirements`: the catalogue as a table, JSON or Markdown. */
import { Option } from 'commander'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { inMarkdown } from '../../reporters/markdown/paint.ts'
import type { Table } from '../../reporters/nodes.ts'
import { onTerminal } from '../../reporters/terminal/paint.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { byKey } from '../../schemas/values.ts'
import { type Level, levels } from '../../specs/outcomes.ts'
import { requirements as catalogue, type Requirement } from '../../specs/requirements.ts'
import type { Declaring } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import type { CommandContext } from '../process/command-context.ts'

const help = `
Levels: must is said by the contract, implied follows from it, advice never changes the verdict.
--format json also names the checks of each requirement.`

export function declare({ command, does }: Declaring): void {
  command(help)
    .addOption(
      new Option('--format <FORMAT>', 'how to print them')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .addOption(
      new Option('--operation <ID...>', 'only those of these operations').choices([
        ...new Set(catalogue.map((each) => each.operation)),
      ]),
    )
    .addOption(new Option('--level <LEVEL>', 'only those of this level').choices(levels))
    .action(does(requirements))
}

interface RequirementsOptions {
  readonly format: 'table' | 'json' | 'markdown'
  readonly operation?: readonly string[]
  readonly level?: Level
}

/** Prints the requirements that the filters leave. Throws a usage error if there is none. */
async function requirements(
  { format, operation = [], level }: RequirementsOptions,
  { stdout, environment }: CommandContext,
): Promise<ExitCode> {
  const chosen = catalogue.filter(
    (each) =>
      (operation.length === 0 || operation.includes(each.operation)) &&
      (level === undefined || each.level === level),
  )
  if (chosen.length === 0)
    throw usageError(`no requirement of ${operation.join(', ')} has the level ${level}`)
  stdout.write(
    format === 'json'
      ? `${JSON.stringify(await withChecks(chosen), null, 2)}\n`
      : format === 'markdown'
        ? [...inMarkdown([table(chosen)])].join('')
        : onTerminal([table(chosen)], pageFor(stdout, environment)),
  )
  return exitCodes.conformant
}

/** The requirements with the ids of the checks that judge them. */
async function withChecks(chosen: readonly Requirement[]): Promise<object[]> {
  const { declaredChecks } = await import('../../suites/declared-checks.ts')
  const checks = byKey(await declaredChecks(), ({ requirement }) => requirement as string)
  return chosen.map((each) => ({ ...each, checks: (checks.get(each.id) ?? []).map(({ id }) => id) }))
}

const table = (chosen: readonly Requirement[]): Table => ({
  kind: 'table',
  label: 'Requirements',
  heads: ['id', 'level', '§', 'must hold'],
  rows: chosen.map(({ id, level, section, text }) => [id, level, `§${section}`, text]),
})
