/** `serve`: the embedded portal, for trying things. */
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { Served } from '../../reference/application.ts'
import { loginsConfiguration } from '../../reference/configuration.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { type Declaring, wholeNumber, withPortal } from '../arguments/option-values.ts'
import { asPortalUsage, type PortalChoice, portalOptions } from '../arguments/target-options.ts'
import { writeNamed } from '../command-error.ts'
import { type CommandContext, listenForInterrupt, say } from '../process/command-context.ts'

const help = `
Prints the address of the portal and a complete configuration for it:
  portal-conformance serve --port 8080 > portal.yaml &
  portal-conformance run --config portal.yaml
With --logins the run makes its fixtures and actors itself, as it does on a deployment. Web pages on other ports of this
machine may use the portal: it sends the headers (CORS) for that.`

export function declare({ command, does }: Declaring): void {
  withPortal(command(help))
    .option('--port <N>', 'port on 127.0.0.1; 0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--write <FILE>', 'write the configuration into a file instead of printing it')
    .option('--tls', 'answer over TLS, with a certificate made for it beside the configuration')
    .option('--logins', 'write a configuration with administrator logins only')
    .option('--list', 'list the faults and variants, and end')
    .option('--log', 'print a line for each request to stderr')
    .action(does(serve))
}

interface ServeOptions extends PortalChoice {
  readonly port?: number
  readonly write?: string
  readonly tls?: boolean
  /** A configuration with logins only. */
  readonly logins?: boolean
  readonly list?: boolean
  readonly log?: boolean
}

/** Such as `12:34:56.789 POST /sharing/rest/... 200 12 ms`. Without the query, which may hold a credential. */
function logLine({ method, response }: Served['arrival'], status: number, arrivedAt: number): string {
  const [path = ''] = (response.req.url ?? '').split('?')
  const time = new Date(arrivedAt).toISOString().slice(11, 23)
  return `${time} ${method} ${path} ${status} ${Date.now() - arrivedAt} ms`
}

/** Serves until interrupted, and resolves with 0. */
async function serve(options: ServeOptions, commandContext: CommandContext): Promise<ExitCode> {
  if (options.list === true) {
    commandContext.stdout.write(await listOfChoices())
    return exitCodes.conformant
  }
  const portal = await startPortal(options, commandContext)
  const interrupt = listenForInterrupt(commandContext)
  try {
    const configuration = await configurationFor(portal, options)
    const announcement = `The embedded portal answers at ${portal.baseUrl} until interrupted (Ctrl-C).`
    if (options.write === undefined) {
      // All of stdout is YAML, so that the user can redirect it into a file.
      const hint = 'Save this as portal.yaml, then: portal-conformance run --config portal.yaml'
      commandContext.stdout.write(`# ${announcement}\n# ${hint}\n${stringify(configuration)}`)
    } else {
      await writeNamed('--write', options.write, stringify(configuration))
      commandContext.stdout.write(
        `${announcement}\nTry it: portal-conformance run --config ${options.write}\n`,
      )
    }
    if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
    return exitCodes.conformant
  } finally {
    interrupt.dispose()
    await portal.close()
  }
}

/** Throws a usage error for an unknown fault or variant, and for a port that is taken. */
async function startPortal(
  { port, tls, log, ...choice }: ServeOptions,
  { stderr }: CommandContext,
): Promise<EmbeddedPortal> {
  const { startWatchedPortal } = await import('../../reference/portal.ts')
  const { readFromPages } = await import('../../reference/pages.ts')
  const options = withoutUndefined({ ...portalOptions(choice), tls, port, alter: readFromPages })
  const watch = ({ arrival, arrivedAt, rendered }: Served) =>
    say(stderr, logLine(arrival, rendered.status, arrivedAt))
  return startWatchedPortal(options, log === true ? { watch } : {}).catch((error) =>
    asPortalUsage(error, port),
  )
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
