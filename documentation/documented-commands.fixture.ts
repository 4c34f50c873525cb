/** The commands in documents: lines of shell blocks, each with its documented exit code. */

export interface ShownLine {
  readonly command: string
  /** From the end of the line: `# exit 1`. Default: 0. */
  readonly exit: number
  readonly at: number
}

export interface ShownBlock {
  readonly document: string
  readonly at: number
  readonly lines: readonly ShownLine[]
}

const shells = new Set(['sh', 'shell', 'bash', 'console'])
const fence = /^\s*```\s*(\w*)/
/** Indented code is a shell block if it begins with one of our commands. */
const indented = /^ {4}((?:npx )?portal-conformance |npm |python3 )/

/**
 * The shell blocks of a Markdown text: fenced as sh, shell, bash or console (there without the prompt `$ `), or indented
 * by four spaces. Lines that end with a backslash are joined; blank lines and comments are omitted.
 */
export function shownBlocks(document: string, text: string): ShownBlock[] {
  const blocks: { at: number; raw: [at: number, line: string][] }[] = []
  let language: string | undefined
  let open = false
  for (const [index, line] of text.split('\n').entries()) {
    const at = index + 1
    const fenced = fence.exec(line)
    if (fenced !== null) {
      language = language === undefined ? (fenced[1] as string) : undefined
      open = false
    } else if (language === undefined ? indented.test(line) : shells.has(language)) {
      if (!open) blocks.push({ at, raw: [] })
      open = true
      blocks.at(-1)?.raw.push([at, language === 'console' ? line.replace(/^\$ /, '') : line])
    } else {
      open = false
    }
  }
  return blocks
    .map(({ at, raw }) => ({ document, at, lines: linesOf(raw) }))
    .filter(({ lines }) => lines.length > 0)
}

function linesOf(raw: readonly [at: number, line: string][]): ShownLine[] {
  const lines: ShownLine[] = []
  let begun: { at: number; text: string } | undefined
  for (const [at, line] of raw) {
    const whole: string = `${begun?.text ?? ''}${line.trim()}`
    const from: number = begun?.at ?? at
    begun = whole.endsWith('\\') ? { at: from, text: whole.slice(0, -1) } : undefined
    if (begun !== undefined || whole === '' || whole.startsWith('#')) continue
    lines.push({ at: from, ...expectation(whole) })
  }
  return lines
}

function expectation(line: string): { command: string; exit: number } {
  const exit = Number(/\s#.*\bexit (\d+)/.exec(line)?.[1] ?? 0)
  return { command: line.replace(/\s+#\s.*$/, ''), exit }
}
