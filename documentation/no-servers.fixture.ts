/** Loaded before each test file of the project `unit`: makes starting a process or a server an error. */
import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'

function refused(what: string): () => never {
  return () => {
    throw new Error(
      `A test of the project unit starts a ${what}. It belongs to another project: documentation/test-projects.ts decides by imports.`,
    )
  }
}

Server.prototype.listen = refused('server')
// Background processes and awaited ones are started by different functions.
Object.assign(ChildProcess.prototype, { spawn: refused('process') })
Object.assign(childProcess, { spawnSync: refused('process'), execFileSync: refused('process') })
Object.assign(childProcess, { execSync: refused('process') })
syncBuiltinESMExports()
