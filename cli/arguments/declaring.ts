/** What a command declares itself with. */
import type { AddHelpTextContext, Command } from 'commander'
import type { ExitCode } from '../../reporters/exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'

/** A file of a command. */
export interface Declaration {
  /** Adds arguments, options, help and action. */
  declare(declaring: Declaring): void
}

export interface Declaring {
  /** The command, with examples and what it exits with after its options. */
  readonly command: (help: string) => Command
  /** Makes an action of what takes arguments, options and surroundings, and resolves with the exit code of the program. */
  readonly does: <A extends unknown[]>(
    act: (...values: [...A, Surroundings]) => Promise<ExitCode>,
  ) => (...values: A) => Promise<void>
}

/** Wraps paragraphs to the width of the help; lines that are set in, such as examples, stay as they are. */
export function helpProse(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const help = command.createHelp()
    const width = help.helpWidth ?? command.configureOutput().getOutHelpWidth?.() ?? 80
    return paragraphsOf(text)
      .map((paragraph) => (paragraph.startsWith(' ') ? paragraph : help.boxWrap(paragraph, width)))
      .join('\n')
  }
}

/** Lines of prose that follow each other are one paragraph; an empty line, a heading or a set-in line is one by itself. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  let open = false
  for (const line of text.split('\n')) {
    const prose = line !== '' && !line.startsWith(' ')
    if (prose && open) paragraphs.push(`${paragraphs.pop()} ${line}`)
    else paragraphs.push(line)
    open = prose
  }
  return paragraphs
}
