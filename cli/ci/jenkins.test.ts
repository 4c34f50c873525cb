import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Block, blocksOf } from './jenkinsfile.fixture.ts'
import { configurationOf, pipelineSetting, shipped } from './pipeline.fixture.ts'

const file = shipped('examples/ci/Jenkinsfile')
const setting = pipelineSetting({ ownProcess: true })

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
