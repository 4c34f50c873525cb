/** The commands that repeat a run, or one finding of it. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Results } from '../../reporters/results.ts'
import type { TargetOptions } from '../arguments/target-options.ts'

/** The command that shows a finding again, once ` --requirement ID` is appended: same target, seed and number of cases. */
export function repeatCommand(
  options: TargetOptions,
  { run }: { readonly run: Pick<Configuration['run'], 'seed' | 'runs'> },
): string {
  const { config, target, fault = [], variant = [], latency, baseUrl, effects, concurrency } = options
  const words = [
    ...(config === undefined ? ['--reference'] : ['--config', config]),
    ...optionWords('--target', target),
    ...fault.flatMap((id) => ['--fault', id]),
    ...variant.flatMap((id) => ['--variant', id]),
    ...optionWords('--latency', latency),
    ...optionWords('--base-url', baseUrl),
    ...optionWords('--effects', effects?.toString()),
    ...optionWords('--concurrency', concurrency),
    ...optionWords('--seed', run.seed),
    ...(run.runs === 0 ? ['--quick'] : optionWords('--runs', run.runs)),
  ]
  return ['portal-conformance', 'run', ...words].map(forShell).join(' ')
}

/** The option with its value; nothing without a value. */
export function optionWords(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)]
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
  const words = [
    ...(selection?.operations ?? []).flatMap((id) => ['--operation', id]),
    ...(selection?.requirements ?? []).flatMap((glob) => ['--requirement', glob]),
  ]
  return [repeatCommand(options as TargetOptions, { run }), ...words.map(forShell)].join(' ')
}
