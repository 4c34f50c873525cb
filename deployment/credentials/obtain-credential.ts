/** Gets the credential of an actor from where the configuration says it comes from. */
import { exec } from 'node:child_process'
import type { Configuration, CredentialSource, PortalName } from '../configuration/configuration.ts'
import { credentialProblem } from '../configuration/credential-rules.ts'
import { logIn } from './login.ts'
import { CredentialError, type Obtained } from './obtained.ts'

const commandMs = 30_000
const largestCredential = 64 * 1024

/** Throws a CredentialError where there is none to be had, or where it cannot be sent. */
export async function obtainCredential(
  source: CredentialSource,
  portal: PortalName,
  configuration: Configuration,
): Promise<Obtained> {
  const obtained =
    'command' in source
      ? { credential: await printedBy(source.command, source.folder) }
      : await logIn(source.login, portal, configuration)
  const problem = credentialProblem(obtained.credential, configuration.authentication.in)
  if (problem !== undefined) throw new CredentialError(`the credential that came ${problem}`)
  return obtained
}

function printedBy(command: string, folder: string): Promise<string> {
  return new Promise((done, failed) => {
    const options = { cwd: folder, timeout: commandMs, maxBuffer: largestCredential }
    const child = exec(command, options, (error, stdout) => {
      if (error === null) return done(stdout.replace(/\r?\n$/, ''))
      const why =
        typeof error.code === 'number'
          ? `ended with code ${error.code}`
          : `did not end within ${commandMs / 1000} s, or printed more than ${largestCredential} bytes`
      // What it printed may be a credential, and the command line may hold one.
      failed(new CredentialError(`the command that prints its credential ${why}`))
    })
    child.stdin?.end()
  })
}
