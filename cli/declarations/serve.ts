/** The command line of `serve`. */
import type { Declaring } from '../arguments/declaring.ts'
import { wholeNumber } from '../arguments/option-values.ts'
import { withPortal } from '../arguments/shared-options.ts'

const help = `
Prints its address and a configuration that is ready to be used:
  portal-conformance serve --port 8080 > portal.yaml &
  portal-conformance run --config portal.yaml
With --logins the run makes its fixtures and actors itself, as it does on a deployment.`

export function declareServe({ command, does, surroundings }: Declaring): void {
  withPortal(command('serve', 'serve the embedded portal until interrupted', help))
    .option('--port <N>', 'its port on 127.0.0.1; 0: a free one', wholeNumber(0, 65_535), 0)
    .option('--write <FILE>', 'write the configuration into a file instead of printing it')
    .option('--tls', 'answer over TLS, with a certificate made for it beside the configuration')
    .option('--logins', 'a configuration of nothing but the logins of administrators')
    .option('--list', 'list the faults and variants, and end')
    .action(
      does(async (options) => {
        const { serve } = await import('../commands/serve.ts')
        return serve(options, surroundings)
      }),
    )
}
