import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationOf, pipelineSetting, shipped } from './pipeline.fixture.ts'

const file = shipped('examples/ci/Jenkinsfile')
const setting = pipelineSetting()

describe('the shell step of the Jenkinsfile', () => {
  const [script = '', ...others] = [...file.matchAll(/'''([\s\S]*?)'''/g)].map(([, text]) => text as string)
  const junit = /testResults: '([^']+)'/.exec(file)?.[1] as string

  test.each([
    ['incomplete run (yellow)', () => configurationOf(setting().good), 3, true],
    ['non-conformant target (red)', () => configurationOf(setting().bad), 1, true],
    ['invalid configuration (red, no report)', () => '{}', 2, false],
  ])('sets the exit code and writes the JUnit report: %s', async (_, configuration, expected, reported) => {
    const { checkout } = setting()
    rmSync(join(checkout.path, 'portal-conformance-report'), { recursive: true, force: true })
    checkout.write('staging.yaml', configuration())
    const { code } = await checkout.shell(script, { shell: ['sh', '-xe'] })
    expect([code, existsSync(join(checkout.path, junit))]).toEqual([expected, reported])
  })

  test('is the only shell step', () => {
    expect([others, file.match(/\b(?:sh|bat|powershell|pwsh)\b *[('"]/g)]).toEqual([[], ['sh(']])
  })
})

test('the Jenkinsfile is a declarative pipeline with closed blocks that always keeps its reports', () => {
  const bare = file.replace(/'''[\s\S]*?'''|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/g, '')
  for (const [open, close] of ['{}', '()'] as const)
    expect(bare.split(open as string).length).toBe(bare.split(close as string).length)
  expect(bare).toMatch(/^pipeline \{[\s\S]*\bstages \{[\s\S]*\bpost \{\s+always \{[\s\S]*\}\s*$/m)
  expect(bare).not.toMatch(/['"]/)
})
