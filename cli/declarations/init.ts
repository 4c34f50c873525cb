/** The command line of `init`. */
import { Option } from 'commander'
import type { Declaring } from '../arguments/declaring.ts'
import { collected, effectsOf } from '../arguments/option-values.ts'

const help = `
On a terminal it asks for what the command line does not say; Enter skips a question. Elsewhere at least --base-url and
--host-id are needed. The file has comments on every part, and what leaving it out means. Secrets are never written:
a credential is named by its environment variable, or by file:PATH, command:LINE or login:USER:PASSWORD_VARIABLE.
With the login of an administrator ids, release and edition are read from the deployment, and nothing else is needed.

Example:
  portal-conformance init --base-url https://staging.example.com/sharing/rest --host-id 0123456789ABCDEF \\
    --actor hostAdministrator=HOST_ADMINISTRATOR_TOKEN --collaboration 5f3d...`

export function declareInit({ command, does, surroundings }: Declaring): void {
  command('init', 'write a configuration with comments for your deployment', help)
    .option('--base-url <URL>', 'where the paths of the contract begin')
    .option('--host-id <ID>', 'id of the host portal')
    .option('--guest-id <ID>', 'id of a guest portal that takes part in the collaborations')
    .option('--profile <NAME>', 'what settles open points: none, arcgis, or a file')
    .addOption(
      new Option('--auth <PLACE>', 'where a request carries the credential').choices([
        'form',
        'query',
        'header',
        'cookie',
      ]),
    )
    .option('--host-login <USER:VARIABLE>', 'an administrator of the host; the run then makes all it needs')
    .option('--guest-login <USER:VARIABLE>', 'an administrator of a guest portal')
    .option('--guest-url <URL>', 'base URL of that guest portal')
    .addOption(
      new Option('--users <WHAT>', 'with --host-login: whether a run may make users').choices([
        'create',
        'none',
      ]),
    )
    .option('--ca <FILE>', 'with --host-login: certificates that are trusted besides')
    .option('--actor <NAME=VARIABLE>', 'a caller and where its credential is; repeatable', collected)
    .option('--username <NAME=USER>', 'the user name of a caller; repeatable', collected)
    .option('--fixtures <SOURCE>', 'static, url=URL, module=PATH, command=LINE or none')
    .option('--collaboration <ID>', 'a collaboration that a run may add to; repeatable', collected)
    .option('--group <ID>', 'a group of the host that workspaces may be linked to; repeatable', collected)
    .addOption(
      new Option('--edition <EDITION>', 'edition of the deployment').choices(['self-hosted', 'hosted']),
    )
    .option('--release <RELEASE>', 'release of the deployment, such as 11.0')
    .option('--effects <LIST>', 'what a run may do there: all, or ids of operations', effectsOf)
    .option('--out <FILE>', 'the file to write', 'portal-conformance.yaml')
    .option('--force', 'write over a file that is there')
    .action(
      does(async (options) => {
        const { init } = await import('../commands/init.ts')
        return init(options, surroundings)
      }),
    )
}
