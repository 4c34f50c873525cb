import { expect, test } from 'vitest'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { runProgram } from '../program.ts'
import { observedContext } from './command-context.fixture.ts'
import { asCalled, listenForInterrupt, programName } from './command-context.ts'

test('listenForInterrupt aborts at the first signal, exits at the second, and stops listening on dispose', () => {
  const commandContext = observedContext()
  let calls = 0
  const interrupt = listenForInterrupt(commandContext, () => {
    calls += 1
  })
  expect(interrupt.signal.aborted).toBe(false)
  commandContext.signals.emit('SIGTERM')
  expect([interrupt.signal.aborted, calls, commandContext.left]).toEqual([true, 1, []])
  commandContext.signals.emit('SIGHUP', 'SIGHUP')
  expect([calls, commandContext.left]).toEqual([1, []])
  commandContext.signals.emit('SIGINT', 'SIGINT')
  expect([calls, commandContext.left]).toEqual([1, [130]])
  interrupt.dispose()
  expect(commandContext.signals.eventNames()).toEqual([])
})

test.each([
  ['/usr/local/bin/portal-conformance', '/home/me/project', 'portal-conformance'],
  ['/home/me/project/node_modules/.bin/portal-conformance', '/home/me/project', 'npx portal-conformance'],
  ['/home/me/.npm/_npx/1a/node_modules/.bin/portal-conformance', '/tmp', 'npx portal-conformance'],
  ['/home/me/checkout/dist/cli/main.js', '/home/me/checkout', 'node dist/cli/main.js'],
  ['/home/me/checkout/dist/cli/main.js', '/home/me/checkout/docs', 'node ../dist/cli/main.js'],
  [undefined, '/tmp', 'portal-conformance'],
])('programName of %s in %s is %s', (script, folder, expected) => {
  expect(programName(script, folder)).toBe(expected)
})

test('asCalled replaces commands, and no other mention of the program', () => {
  const text =
    'Using portal-conformance.yaml\nportal-conformance run --seed 1; "portal-conformance doctor"\nportal-conformance 0.1.0'
  expect(asCalled(text, 'npx portal-conformance', ['run', 'doctor'])).toBe(
    'Using portal-conformance.yaml\nnpx portal-conformance run --seed 1; "npx portal-conformance doctor"\nportal-conformance 0.1.0',
  )
})

test('help, errors and repeat commands name the program as it was called', async () => {
  const script = `${process.cwd()}/node_modules/.bin/portal-conformance`
  const printed = async (...words: string[]) => {
    const observed = observedContext()
    const code = await runProgram(words, { ...observed, script })
    return [code, observed.printed() + observed.complained()] as const
  }
  const findings = ['--requirement', 'add-workspace/refuses-guest', '--fault', 'guests-add-workspaces']
  const run = 'run --reference --reporter terminal --runs 1'.split(' ')
  const [code, report] = await printed(...run, ...findings)
  expect(code).toBe(exitCodes.nonConformant)
  expect(report).toMatch(/^ *npx portal-conformance run --reference --fault guests-add-workspaces/m)
  for (const words of [['--help'], ['run', '--help'], ['run'], ['rum']]) {
    const [, text] = await printed(...words)
    expect(text).toMatch(/npx portal-conformance/)
    expect(text).not.toMatch(/(?<!npx )portal-conformance (?:run|doctor|init|--help)/)
  }
})
