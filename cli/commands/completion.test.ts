import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'

async function scriptFor(shell: string) {
  const observed = observedContext()
  const code = await runProgram(['completion', shell], observed)
  return { code, script: observed.printed(), complaint: observed.complained() }
}

test('bash completes commands, and the options of a command', async () => {
  const { code, script } = await scriptFor('bash')
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

test.each(['zsh', 'fish'])('%s has every command with its options', async (shell) => {
  const { code, script } = await scriptFor(shell)
  expect(code).toBe(0)
  for (const word of ['doctor', 'completion', 'waivers', 'gate'])
    expect(script).toMatch(new RegExp(`\\b${word}\\b`))
})

test('another shell is a usage error', async () => {
  const { code, complaint } = await scriptFor('cmd')
  expect([code, complaint]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')])
})
