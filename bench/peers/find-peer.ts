/** Looks for a tool that is installed here; nothing is ever installed or downloaded. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Peer } from './peer.ts'

/** The program of a tool, or why there is none. */
export type Found = { readonly program: string } | { readonly reason: string }

/** The environment variable goes before the PATH. */
export function findPeer(
  { command, variable }: Pick<Peer, 'command' | 'variable'>,
  environment: NodeJS.ProcessEnv,
): Found {
  const named = environment[variable]
  if (named !== undefined && named !== '') {
    return isProgram(named)
      ? { program: named }
      : { reason: `${variable}=${named}: not a program that can be run` }
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const program = folders.map((folder) => join(folder, command)).find(isProgram)
  return program === undefined
    ? { reason: `no ${command} on the PATH; ${variable} may name it` }
    : { program }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
