import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationOf, pipelineSetting, shipped } from './pipeline.fixture.ts'

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
  /** The file without comments and without what strings hold. */
  const bare = (source: string) =>
    source.replace(/'''[\s\S]*?'''|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/g, (text) =>
      text.startsWith('//') ? '' : "''",
    )
  /** What stands within each block, by its path; throws where a bracket does not end, or ends what was not begun. */
  function blocksOf(source: string): Map<string, string> {
    const blocks = new Map([['', '']])
    const open: string[] = []
    for (const line of bare(source)
      .split('\n')
      .map((each) => each.trim())) {
      if (/['"]/.test(line.replaceAll("''", ''))) throw new Error(`${line}: a string does not end`)
      if (line.startsWith('}') && open.pop() === undefined)
        throw new Error(`${line}: ends what was not begun`)
      const path = open.join(' > ')
      if (line.endsWith('{')) open.push(line.replace(/^} *| *\{$/g, ''))
      else if (line !== '}') blocks.set(path, `${blocks.get(path) ?? ''}${line}`)
      const count = (bracket: string) => line.split(bracket).length
      const isClosed = line.startsWith('int code = sh(') || count('(') === count(')')
      if (!isClosed) throw new Error(`${line}: a bracket does not end`)
      blocks.set(open.join(' > '), blocks.get(open.join(' > ')) ?? '')
    }
    if (open.length > 0) throw new Error(`${open.join(' > ')}: does not end`)
    return blocks
  }
  const stage = "pipeline > stages > stage('')"

  test('is that of a declarative pipeline: one stage with a script, what is done always, and nothing beside', () => {
    const blocks = blocksOf(file)
    const outer = [...blocks.keys()].filter((path) => !path.includes('script >'))
    expect(outer).toEqual([
      ...['', 'pipeline', 'pipeline > options', 'pipeline > environment', 'pipeline > stages', stage],
      ...[`${stage} > steps`, `${stage} > steps > script`, 'pipeline > post', 'pipeline > post > always'],
    ])
    const onlyBlocks = ['', 'pipeline > stages', stage, `${stage} > steps`, 'pipeline > post']
    expect(onlyBlocks.map((path) => blocks.get(path))).toEqual(['', '', '', '', ''])
    expect(blocks.get('pipeline')).toBe("agent { docker { image '' } }")
  })

  test.each([
    ['a brace', file.replace('steps {', 'steps'), /ends what was not begun/],
    ['the last brace', file.trimEnd().slice(0, -1), /pipeline: does not end/],
    ['a bracket', file.replace("'HOURS')", "'HOURS'"), /a bracket does not end/],
    ['a quote', file.replace("'HOURS'", "'HOURS"), /a string does not end/],
  ])('is seen to lack %s', (_, broken, message) => {
    expect(() => blocksOf(broken)).toThrow(message)
  })
})
