/** The blocks of a declarative Jenkinsfile, as far as they can be told without Groovy. */

export interface Block {
  /** `stage('Conformance')`, `steps`; empty for the file. */
  readonly head: string
  readonly blocks: Block[]
  /** The text between its braces, without that of blocks in it; what strings hold is left out. */
  text: string
}

const string = /'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const token = new RegExp(`(${string.source})|(${comment.source})|([^'"/{}()[\\]]+|/)|([{}()[\\]])`, 'gy')
const closing: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/** Throws an error that names the line where a string, a brace or a bracket does not end, or ends what was not begun. */
export function blocksOf(source: string): Block {
  const file: Block = { head: '', blocks: [], text: '' }
  const open: { closes: string; block: Block; line: number }[] = [{ closes: '', block: file, line: 1 }]
  const lineAt = (at: number) => source.slice(0, at).split('\n').length
  token.lastIndex = 0
  for (let at = 0; at < source.length; at = token.lastIndex) {
    const [, quoted, ignored, plain, bracket] =
      token.exec(source) ?? fail(`line ${lineAt(at)}: a string does not end`)
    const { closes, block } = open.at(-1) as (typeof open)[number]
    if (ignored !== undefined) continue
    if (bracket === undefined) {
      block.text += plain ?? (quoted as string)
    } else if (bracket === closes) {
      open.pop()
      if (bracket !== '}') block.text += bracket
    } else if (bracket === '{') {
      const head = /[^\n;]*$/.exec(block.text.trimEnd())?.[0].trim() ?? ''
      const inner: Block = { head, blocks: [], text: '' }
      block.blocks.push(inner)
      block.text = block.text.trimEnd().slice(0, -head.length || undefined)
      open.push({ closes: '}', block: inner, line: lineAt(at) })
    } else if (bracket in closing) {
      block.text += bracket
      open.push({ closes: closing[bracket] as string, block, line: lineAt(at) })
    } else {
      fail(`line ${lineAt(at)}: ${bracket} ends what was not begun`)
    }
  }
  const left = open.pop()
  if (left !== undefined && left.closes !== '')
    fail(`line ${left.line}: ${left.closes} is expected before the end`)
  return file
}

function fail(message: string): never {
  throw new Error(message)
}
