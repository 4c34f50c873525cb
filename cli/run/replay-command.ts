/** The command line that runs the same again. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Results } from '../../reporters/results.ts'
import type { TargetOptions } from '../arguments/target-options.ts'

/** What a finding is shown again with, once ` --requirement ID` is appended: same target, seed and number of cases. */
export function replayCommand(
  options: TargetOptions,
  { run }: { readonly run: Pick<Configuration['run'], 'seed' | 'runs'> },
): string {
  const { config, target, fault = [], variant = [], latency, baseUrl, effects, concurrency } = options
  const words = ['portal-conformance', 'run']
  if (config !== undefined) words.push('--config', config)
  else words.push('--reference')
  if (target !== undefined) words.push('--target', target)
  for (const id of fault) words.push('--fault', id)
  for (const id of variant) words.push('--variant', id)
  if (latency !== undefined) words.push('--latency', String(latency))
  if (baseUrl !== undefined) words.push('--base-url', baseUrl)
  if (effects !== undefined) words.push('--effects', effects === 'all' ? effects : effects.join(','))
  if (concurrency !== undefined) words.push('--concurrency', String(concurrency))
  words.push('--seed', String(run.seed), '--runs', String(run.runs))
  return words.map(forShell).join(' ')
}

/** A word of a command line, in quotes where a shell would read it otherwise. */
export function forShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** With what the run was limited to; FILE and RECORDING stand for files that the results do not name. */
export function repeatCommand({ run }: Results): string {
  if (run.traffic !== undefined) return 'portal-conformance validate RECORDING'
  const { options = { config: 'FILE' }, selection, shard } = run
  const words = [
    ...(selection?.operations ?? []).flatMap((id) => ['--operation', id]),
    ...(selection?.requirements ?? []).flatMap((glob) => ['--requirement', glob]),
    ...(shard === undefined ? [] : ['--shard', `${shard.index}/${shard.count}`]),
  ]
  return [replayCommand(options as TargetOptions, { run }), ...words.map(forShell)].join(' ')
}
