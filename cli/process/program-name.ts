/** How users call this program: by its name, by npx, or as a file of a checkout. */
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path'

const name = 'portal-conformance'

interface Called {
  /** The script that node runs, as the user named it; absent: not known. */
  readonly script?: string | undefined
  readonly folder: string
  readonly path?: string | undefined
}

/** `portal-conformance` if installed globally, `npx portal-conformance` in a project, `node dist/cli/main.js` in a checkout. */
export function programName({ script, folder, path = '' }: Called): string {
  if (script === undefined) return name
  const installed = script.lastIndexOf(`${sep}node_modules${sep}`)
  if (installed >= 0) {
    const project = script.slice(0, installed)
    const isCached = project.split(sep).includes('_npx')
    return isCached || isWithin(folder, project) ? `npx ${name}` : name
  }
  if (path.split(delimiter).includes(dirname(script))) return name
  const checkout = resolve(dirname(script), '..', '..')
  const isMain = script.endsWith(join('dist', 'cli', 'main.js'))
  return isMain && isWithin(folder, checkout) ? `node ${relative(folder, script)}` : name
}

const isWithin = (folder: string, parent: string): boolean => `${folder}${sep}`.startsWith(`${parent}${sep}`)

const commandNames = [
  ...(['run', 'serve', 'init', 'doctor', 'validate', 'report', 'compare', 'fleet', 'cleanup'] as const),
  ...(['requirements', 'completion', 'selftest'] as const),
]

export type CommandName = (typeof commandNames)[number]

/** Commands of this program in a text. The name in the middle of a path is no command. */
const commands = new RegExp(
  String.raw`(?<![\w./-])${name}(?= (?:${[...commandNames, 'help', '--help'].join('|')})\b)`,
  'g',
)

/** The text with every command as the user calls it. */
export function asCalled(text: string, called: string): string {
  return called === name ? text : text.replace(commands, called)
}
