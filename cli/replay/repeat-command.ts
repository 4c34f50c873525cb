/** The command line that makes a whole run again, from its results. */
import type { Results } from '../../reporters/results.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { forShell, replayCommand } from './replay-command.ts'

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
