/** What documents need so that their commands can be run, and which commands are not run, with the reason. */
import { spawnSync } from 'node:child_process'

/** Commands that tests cannot run. Every entry is used: one that is not is to be deleted. */
export const notRun: readonly { readonly command: RegExp; readonly reason: string }[] = [
  { command: /^npm (install|ci|init)\b/, reason: 'packages come from the network' },
]

/** Commands that are run as they are, beside those of the suite. */
export const plainCommands = /^(mkdir|cp|cat|ls|test|cd) /

/**
 * Documents that differ from the rest. Without an entry each block of a document is run in a folder of its own, as
 * `documentation-folder.fixture.ts` prepares it. A story is run from its beginning to its end in one folder in which
 * nothing is but the installed package.
 */
export const documents: Readonly<
  Record<string, { readonly story?: true; readonly files?: Readonly<Record<string, string>> }>
> = {
  'docs/getting-started.md': { story: true },
}

/** Why commands of that kind cannot be run on this machine; undefined where they can. */
export function missingHere(command: string): string | undefined {
  if (!command.startsWith('python3 ')) return undefined
  return spawnSync('python3', ['--version']).status === 0 ? undefined : 'there is no python3 here'
}
