#!/usr/bin/env node
/** The program: gives the command line what it needs of this process, and leaves with its exit code. */
import { setFlagsFromString } from 'node:v8'
import { watchForBreakdown } from './process/run-errors.ts'
import { runProgram } from './program.ts'

// Without it V8 lets the garbage of a long run grow to several times what is in use. It costs a few per cent of the time.
setFlagsFromString('--heap-growing-percent=100')

// Who reads may go away early (`| head`): that must not cost the rest of the run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

watchForBreakdown(process.stderr)

const code = await runProgram(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  signals: process,
  leave: (code) => process.exit(code),
})
// What was interrupted may still hold the process; what was written must get out first.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(code)
