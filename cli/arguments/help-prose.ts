/** The text behind the options of a command's help. */
import type { AddHelpTextContext } from 'commander'

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
