/** `completion`: a script for a shell, made from the declared commands and options. */
import { Argument, type Command } from 'commander'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { Declaring } from '../arguments/option-values.ts'
import type { CommandContext } from '../process/command-context.ts'

const help = `
Examples:
  portal-conformance completion bash >> ~/.bashrc
  portal-conformance completion zsh > ~/.zsh/_portal-conformance     # a folder of $fpath
  portal-conformance completion fish > ~/.config/fish/completions/portal-conformance.fish

The script completes the command portal-conformance, options included. It is made for this release: make it anew after an
update.`

const shells = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof shells)[number]

export function declare({ command, does }: Declaring): void {
  command(help)
    .addArgument(new Argument('<SHELL>', shells.join(', ')).choices(shells))
    .action(does(completion))
}

async function completion(shell: Shell, _options: object, commandContext: CommandContext): Promise<ExitCode> {
  const { commandLine } = await import('../program.ts')
  const program = await commandLine(commandContext, () => undefined)
  commandContext.stdout.write(scripts[shell](program.commands))
  return exitCodes.conformant
}

const name = 'portal-conformance'

const scripts: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

const namesOf = (commands: readonly Command[]): string => commands.map((command) => command.name()).join(' ')

const optionsOf = ({ options }: Command): string => options.flatMap(({ long }) => long ?? []).join(' ')

function bash(commands: readonly Command[]): string {
  return `# Completion of ${name} for bash
_portal_conformance() {
  local words
  case "$COMP_CWORD,\${COMP_WORDS[1]}" in
    1,*) words='${namesOf(commands)} --help --version' ;;
${commands.map((command) => `    *,${command.name()}) words='${optionsOf(command)} --help' ;;\n`).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _portal_conformance ${name}
`
}

function zsh(commands: readonly Command[]): string {
  return `#compdef ${name}
# Completion of ${name} for zsh
_portal_conformance() {
  if (( CURRENT == 2 )); then
    compadd -- ${namesOf(commands)} --help --version
    return
  fi
  case "$words[2]" in
${commands.map((command) => `    ${command.name()}) compadd -- ${optionsOf(command)} --help ;;\n`).join('')}  esac
  _files
}
compdef _portal_conformance ${name}
`
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const begin = `complete -c ${name}`
  const lines = commands.flatMap((command) => [
    `${begin} -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
    ...command.options.flatMap(({ long, description, required }) =>
      long === undefined
        ? []
        : [
            `${begin} -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)}${required ? ' -r' : ''} -d ${quoted(description)}`,
          ],
    ),
  ])
  return `# Completion of ${name} for fish\n${lines.join('\n')}\n`
}
