/** Puts a small program in the place of the command: it has this process do what it is asked for, as it would itself. */
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { runInProcess } from '../process/in-process.fixture.ts'

interface Asked {
  readonly words: readonly string[]
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

/** What stands there instead of the program. */
const program = (socket: string) => `#!/usr/bin/env node
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
const asked = { words: process.argv.slice(2), folder: process.cwd(), environment: process.env }
const { code, stdout, stderr } = await json(connect(${JSON.stringify(socket)}).end(JSON.stringify(asked)))
process.stderr.write(stderr)
process.stdout.write(stdout)
process.exitCode = code
`

/** An npx that goes straight to the command: npm takes longer to find it than many a command takes. */
export const npxScript = (command: string) => `#!/bin/sh
[ "$1" = --yes ] && shift
[ "$1" = portal-conformance ] || { echo "npx $1: not in a test" >&2; exit 127; }
shift
${command}
`

/** Serves the program of that file until it is closed. */
export async function serveCommand(main: string, socket: string): Promise<{ close(): void }> {
  const server = createServer({ allowHalfOpen: true }, answer)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  writeFileSync(main, program(socket))
  chmodSync(main, 0o755)
  return server
}

function answer(connection: Socket): void {
  let asked = ''
  connection.setEncoding('utf8')
  connection.on('data', (text: string) => {
    asked += text
  })
  connection.on('end', async () => {
    const { words, folder, environment } = JSON.parse(asked) as Asked
    connection.end(JSON.stringify(await runInProcess(words, folder, environment)))
  })
  // The client may be gone.
  connection.on('error', () => undefined)
}
