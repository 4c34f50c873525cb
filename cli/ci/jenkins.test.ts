import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationOf, pipelineSetting, shipped } from './pipeline.fixture.ts'

interface Block {
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
function blocksOf(source: string): Block {
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

const file = shipped('examples/ci/Jenkinsfile')
const setting = pipelineSetting()

describe('the shell step', () => {
  const [script = '', ...others] = [...file.matchAll(/'''([\s\S]*?)'''/g)].map(([, text]) => text as string)
  const junit = /testResults: '([^']+)'/.exec(file)?.[1] as string

  test.each([
    ['yellow', () => configurationOf(setting().good), 3, true],
    ['red', () => configurationOf(setting().bad), 1, true],
    ['red, without a report,', () => '{}', 2, false],
  ])('is %s where it should be', async (_, configuration, expected, reported) => {
    const { checkout } = setting()
    rmSync(join(checkout.path, 'portal-conformance-report'), { recursive: true, force: true })
    checkout.write('staging.yaml', configuration())
    const { code } = await checkout.shell(script, { shell: ['sh', '-xe'] })
    expect([code, existsSync(join(checkout.path, junit))]).toEqual([expected, reported])
  })

  test('is the only one', () => {
    expect([others, file.match(/\b(?:sh|bat|powershell|pwsh)\b *[('"]/g)]).toEqual([[], ['sh(']])
  })
})

describe('the structure', () => {
  const heads = ({ blocks }: Block) => blocks.map(({ head }) => head)
  const inside = (block: Block, ...path: string[]): Block =>
    path.reduce((outer, head) => outer.blocks.find((each) => each.head === head) as Block, block)
  const pipeline = inside(blocksOf(file), 'pipeline')

  test('is that of a declarative pipeline: one stage with steps, and what is done always', () => {
    expect(heads(blocksOf(file))).toEqual(['pipeline'])
    expect(heads(pipeline)).toEqual(['agent', 'options', 'environment', 'stages', 'post'])
    expect(heads(inside(pipeline, 'stages'))).toEqual(["stage('Conformance')"])
    expect(heads(inside(pipeline, 'stages', "stage('Conformance')"))).toEqual(['steps'])
    expect(heads(inside(pipeline, 'post'))).toEqual(['always'])
  })

  test('has nothing but blocks where a declarative pipeline takes nothing else', () => {
    const stages = inside(pipeline, 'stages')
    for (const { text } of [blocksOf(file), pipeline, stages, ...stages.blocks, inside(pipeline, 'post')]) {
      expect(text.trim()).toBe('')
    }
  })

  test('takes no statement but a step directly: what is Groovy stands in script', () => {
    expect(heads(inside(pipeline, 'stages', "stage('Conformance')", 'steps'))).toEqual(['script'])
    expect(inside(pipeline, 'stages', "stage('Conformance')", 'steps').text.trim()).toBe('')
  })

  test.each([
    ['a brace', file.replace('steps {', 'steps'), /line \d+: } ends what was not begun/],
    ['the last brace', file.trimEnd().slice(0, -1), /line 2: } is expected before the end/],
    ['a bracket', file.replace("'HOURS')", "'HOURS'"), /line \d+: } ends what was not begun/],
    ['a quote', file.replace("'HOURS'", "'HOURS"), /line \d+: a string does not end/],
  ])('is seen to lack %s', (_, broken, message) => {
    expect(() => blocksOf(broken)).toThrow(message)
  })
})
