import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runs, written } from './folder.fixture.ts'
import { startProgram } from './program.ts'

// Ends neither when its input ends nor when it is told to, and has a child that does the same.
const stubborn = `import { spawn } from 'node:child_process'
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
if (process.argv[2] === 'child') process.send('ready')
else {
  const child = spawn(process.execPath, ['provider.mjs', 'child'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.once('message', () => process.stdout.write(process.pid + ' ' + child.pid))
}
`

async function pidsOf({ stdout }: { stdout: NodeJS.ReadableStream }): Promise<number[]> {
  const [printed] = await once(stdout, 'data')
  return String(printed).split(' ').map(Number)
}

/** It may take a moment until the system has cleared a killed process away. */
const gone = (pids: readonly number[]) =>
  expect.poll(() => pids.filter(runs), { timeout: 10_000 }).toEqual([])

test('a program that reads its input to the end ends by itself', async () => {
  const { command, folder } = written('process.stdin.resume().on("end", () => process.exit(7))')
  const program = startProgram(command, folder)
  await program.stop()
  expect(await program.ended).toBe('ended with code 7')
})

test('a program that will not end is killed with what it started', async () => {
  const { command, folder } = written(stubborn)
  const program = startProgram(command, folder, { inputEndedMs: 10, terminatedMs: 10 })
  const pids = await pidsOf(program)
  expect(pids.filter(runs)).toHaveLength(2)
  await program.stop()
  await gone(pids)
})

test('what a program leaves behind when it ends goes with it', async () => {
  const { command, folder } = written(stubborn.replace('child.pid))', 'child.pid, () => process.exit(0)))'))
  const program = startProgram(command, folder)
  const pids = await pidsOf(program)
  expect(await program.ended).toBe('ended with code 0')
  await gone(pids)
})

test('a program is gone when this process leaves without stopping it', async () => {
  const before = process.listeners('exit')
  const { command, folder } = written(stubborn)
  const program = startProgram(command, folder)
  const pids = await pidsOf(program)
  const added = process.listeners('exit').filter((listener) => !before.includes(listener))
  expect(added).toHaveLength(1)
  added[0]?.(130)
  await program.ended
  await gone(pids)
  expect(process.listeners('exit')).toEqual(before)
})
