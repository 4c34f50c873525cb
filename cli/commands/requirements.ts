/** `requirements`: the catalogue as a table, JSON or Markdown. */
import { Option } from 'commander'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { widthOf, wrap } from '../../reporters/terminal/sheet.ts'
import { type Level, levels } from '../../specs/outcomes.ts'
import { requirements as catalogue, type Requirement } from '../../specs/requirements.ts'
import { collected, type Declaring } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import type { Surroundings } from '../process/surroundings.ts'

const help = `
Levels: must is said by the contract, implied follows from it, advice never changes the verdict.`

export function declare({ command, does }: Declaring): void {
  command(help)
    .addOption(
      new Option('--format <FORMAT>', 'how to print them')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .option(
      '--operation <ID>',
      'only those of this operation, of protocol or lifecycle; repeatable',
      collected,
    )
    .addOption(new Option('--level <LEVEL>', 'only those of this level').choices(levels))
    .action(does(requirements))
}

interface RequirementsOptions {
  readonly format: 'table' | 'json' | 'markdown'
  readonly operation?: readonly string[]
  readonly level?: Level
}

/** Prints what the filters leave. Throws a usage error where that is nothing. */
async function requirements(
  { format, operation = [], level }: RequirementsOptions,
  { stdout }: Surroundings,
): Promise<ExitCode> {
  const subjects = [...new Set(catalogue.map((each) => each.operation))]
  const unknown = operation.find((id) => !subjects.some((subject) => subject === id))
  if (unknown !== undefined) {
    throw usageError(`--operation ${unknown}: there is no such operation. Known are ${subjects.join(', ')}`)
  }
  const chosen = catalogue.filter(
    (each) =>
      (operation.length === 0 || operation.includes(each.operation)) &&
      (level === undefined || each.level === level),
  )
  if (chosen.length === 0)
    throw usageError(`no requirement of ${operation.join(', ')} has the level ${level}`)
  const write = {
    table: () => table(chosen, widthOf(stdout)),
    json: () => json(chosen),
    markdown: () => markdown(chosen),
  }
  stdout.write(write[format]())
  return exitCodes.conformant
}

function json(chosen: readonly Requirement[]): string {
  return `${JSON.stringify(chosen, null, 2)}\n`
}

function markdown(chosen: readonly Requirement[]): string {
  const cell = (text: string): string => text.replace(/[\\|]/g, '\\$&')
  const rows = chosen.map(
    ({ id, level, section, text }) => `| ${id} | ${level} | §${section} | ${cell(text)} |\n`,
  )
  return `| id | level | section | must hold |\n|---|---|---|---|\n${rows.join('')}`
}

/** Ids and levels in columns; the text beside them, or below where there is no room. */
function table(chosen: readonly Requirement[], width: number): string {
  const longestId = Math.max(...chosen.map(({ id }) => id.length))
  const longestSection = Math.max(...chosen.map(({ section }) => section.length + 1))
  const longestLevel = Math.max(...chosen.map(({ level }) => level.length))
  const beside = longestId + longestLevel + longestSection + 6
  const lines = chosen.flatMap(({ id, level, section, text }) => {
    const head = `${id.padEnd(longestId)}  ${level.padEnd(longestLevel)}  ${`§${section}`.padEnd(longestSection)}`
    if (width - beside < 40) return [head.trimEnd(), ...wrap(text, width - 4).map((line) => `    ${line}`)]
    const [first = '', ...rest] = wrap(text, width - beside)
    return [`${head}  ${first}`, ...rest.map((line) => ' '.repeat(beside) + line)]
  })
  return `${lines.join('\n')}\n`
}
