import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { command } from '../process/in-process.fixture.ts'

test('the bash completion completes commands and the options of a command', async () => {
  const { code, out: script } = await command('completion bash')
  expect(code).toBe(0)
  const completed = (...words: string[]): string[] => {
    const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const line = `${script}\n${set}; _portal_conformance; echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split(' ')
  }
  expect(completed('portal-conformance', 'co')).toEqual(['compare', 'completion'])
  expect(completed('portal-conformance', 'run', '--wai')).toEqual(['--waivers'])
  expect(completed('portal-conformance', 'serve', '--l')).toEqual([
    '--latency',
    '--logins',
    '--list',
    '--log',
  ])
})

test.each(['zsh', 'fish'])('the %s completion contains commands and their options', async (shell) => {
  const { code, out } = await command('completion', shell)
  expect(code).toBe(0)
  for (const word of ['doctor', 'completion', 'waivers', 'gate'])
    expect(out).toMatch(new RegExp(`\\b${word}\\b`))
})
