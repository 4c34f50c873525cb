/** `serve`: the embedded portal, for trying things. */
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { loginsConfiguration } from '../../reference/configuration.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { type Declaring, wholeNumber, withPortal } from '../arguments/option-values.ts'
import { type PortalChoice, startEmbeddedPortal } from '../arguments/target-options.ts'
import { writeNamed } from '../command-error.ts'
import { listenForInterrupt, type Surroundings } from '../process/surroundings.ts'

const help = `
Prints the address of the portal and a complete configuration for it:
  portal-conformance serve --port 8080 > portal.yaml &
  portal-conformance run --config portal.yaml
With --logins the run makes its fixtures and actors itself, as it does on a deployment.`

export function declare({ command, does }: Declaring): void {
  withPortal(command(help))
    .option('--port <N>', 'port on 127.0.0.1; 0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--write <FILE>', 'write the configuration into a file instead of printing it')
    .option('--tls', 'answer over TLS, with a certificate made for it beside the configuration')
    .option('--logins', 'write a configuration with administrator logins only')
    .option('--list', 'list the faults and variants, and end')
    .action(does(serve))
}

interface ServeOptions extends PortalChoice {
  readonly port?: number
  readonly write?: string
  readonly tls?: boolean
  /** Nothing but logins in the configuration. */
  readonly logins?: boolean
  readonly list?: boolean
}

/** Serves until interrupted, which is how it is meant to end. */
async function serve(options: ServeOptions, surroundings: Surroundings): Promise<ExitCode> {
  if (options.list === true) {
    surroundings.stdout.write(await listOfChoices())
    return exitCodes.conformant
  }
  const portal = await startEmbeddedPortal(options, options.port, options.tls)
  const interrupt = listenForInterrupt(surroundings)
  try {
    const configuration = await configurationFor(portal, options)
    const announcement = `The embedded portal answers at ${portal.baseUrl} until interrupted (Ctrl-C).`
    if (options.write === undefined) {
      // YAML as a whole, so that it can be sent into a file as it is.
      const hint = 'Save this as portal.yaml, then: portal-conformance run --config portal.yaml'
      surroundings.stdout.write(
        `# ${announcement}\n# ${hint}\n${loginLines(portal)}${stringify(configuration)}`,
      )
    } else {
      await writeNamed('--write', options.write, stringify(configuration))
      surroundings.stdout.write(`${announcement}\nTry it: portal-conformance run --config ${options.write}\n`)
    }
    if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
    return exitCodes.conformant
  } finally {
    interrupt.dispose()
    await portal.close()
  }
}

async function configurationFor(
  portal: EmbeddedPortal,
  { logins, write: file }: ServeOptions,
): Promise<object> {
  const whole: object =
    logins === true
      ? { ...loginsConfiguration(portal.logins), run: portal.configuration.run }
      : portal.configuration
  if (portal.certificate === undefined) return whole
  const ca = file === undefined ? join(tmpdir(), `portal-${process.pid}.pem`) : `${resolve(file)}.pem`
  await writeNamed('--write', ca, portal.certificate)
  return { ...whole, http: { ca } }
}

const loginLines = ({ logins }: EmbeddedPortal): string =>
  Object.entries(logins)
    .map(
      ([name, { baseUrl, username, password }]) =>
        `# Login, ${name}: ${username} ${password} at ${baseUrl}\n`,
    )
    .join('')

async function listOfChoices(): Promise<string> {
  const { faults } = await import('../../reference/faults/index.ts')
  const { variants } = await import('../../reference/variants/index.ts')
  const { administrationVariants } = await import('../../reference/variants/administration.ts')
  const lines = (entries: readonly { id: string; sentence: string }[]): string =>
    entries.map(({ id, sentence }) => `  ${id}: ${sentence}\n`).join('')
  return `Faults, each of which breaks the contract (--fault ID):\n${lines(faults)}
Variants, each of which keeps it in another way (--variant ID):\n${lines(variants)}
Variants that show to a run that makes its own fixtures (--logins --variant ID):\n${lines(administrationVariants)}`
}
