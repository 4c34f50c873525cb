/** A credential as a configuration writes it: the text itself, or where it comes from. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Actor, Login } from '../configuration/configuration.ts'
import { parseDuration } from '../configuration/duration.ts'

interface WrittenLogin extends Omit<Login, 'expirationMs'> {
  readonly expiration?: string
}

export type WrittenCredential =
  | string
  | { readonly file: string }
  | { readonly command: string }
  | { readonly login: WrittenLogin }

/** The credential, or its source where it has to be obtained. Relative paths start at the folder. */
export function readCredential(
  written: WrittenCredential,
  folder: string,
): Pick<Actor, 'credential' | 'source'> {
  if (typeof written === 'string') return { credential: written }
  if ('file' in written) return { credential: credentialIn(resolve(folder, written.file)) }
  if ('command' in written) return { credential: '', source: { command: written.command, folder } }
  const { expiration = '60m', ...login } = written.login
  return {
    credential: '',
    source: { login: { ...login, expirationMs: parseDuration(expiration) as number } },
  }
}

/** What the file holds, without the line break at its end. Throws where it cannot be read. */
export function credentialIn(file: string): string {
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}
