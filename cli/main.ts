#!/usr/bin/env node
/** The program: gives the command line what it needs of this process, and ends with its exit code. */
import { setFlagsFromString } from 'node:v8'
import { endOnUncaughtErrors, LastWords } from './command-error.ts'
import { runProgram } from './program.ts'

// Otherwise the garbage of a long run grows to several times the memory in use. Costs a few per cent of the time.
setFlagsFromString('--heap-growing-percent=100')
// Optimizes functions that were called about four times as often as usual. Otherwise a short run spends a sixth of its
// time on the optimization. Long runs take as long as before.
setFlagsFromString('--interrupt-budget=250000')

// The reader may go away early (`| head`), which must not end the run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const lastWords = new LastWords()
endOnUncaughtErrors(process.stderr, lastWords)

const code = await runProgram(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  script: process.argv[1],
  signals: process,
  leave: (code) => process.exit(code),
  lastWords,
})
// An interrupted run may still hold the process. All output must be written first.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(code)
