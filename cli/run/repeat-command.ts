/** The commands that repeat a run, or one finding of it. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Results } from '../../reporters/results.ts'
import type { TargetOptions } from '../arguments/target-options.ts'

/** The command that shows a finding again, once ` --requirement ID` is appended: same target, seed and number of cases. */
export function repeatCommand(
  { config, target, fault, variant, latency, baseUrl, effects, concurrency }: TargetOptions,
  { run: { seed, runs } }: { readonly run: Pick<Configuration['run'], 'seed' | 'runs'> },
): string {
  const words = optionWords({
    ...(config === undefined ? { reference: true } : { config }),
    target,
    fault,
    variant,
    latency,
    baseUrl,
    effects: effects?.toString(),
    concurrency,
    seed,
    ...(runs === 0 ? { quick: true } : { runs }),
  })
  return ['portal-conformance', 'run', ...words].map(forShell).join(' ')
}

/** The words of a command line for these options. A list is a repeated option; one that is true has no value. */
export function optionWords(options: object): string[] {
  return Object.entries(options).flatMap(([key, value]: [string, unknown]) => {
    const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (value === true) return [name]
    return [value ?? []].flat().flatMap((each) => [name, String(each)])
  })
}

/** A word of a command line, quoted if a shell needs that. */
export function forShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** The check that a repeat command runs. */
export function checkOfCommand(command: string): string | undefined {
  return command.split(' --requirement ').slice(1).at(-1)
}

/** The command that repeats a whole run with its selection. FILE and RECORDING stand for files that the results do not name. */
export function repeatRunCommand({ run }: Results): string {
  if (run.traffic !== undefined) return 'portal-conformance validate RECORDING'
  const { options = { config: 'FILE' }, selection } = run
  const words = optionWords({ operation: selection?.operations, requirement: selection?.requirements })
  return [repeatCommand(options as TargetOptions, { run }), ...words.map(forShell)].join(' ')
}
