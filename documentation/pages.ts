/** The generated pages of the documentation: what each file is made by. */
import { commandLine } from '../cli/program.ts'
import { configurationPage } from './configuration-page.ts'
import { anchor, fenced, linkTo, list, page } from './markdown.ts'
import { openPointsPage, profilesPage } from './open-points-page.ts'
import { requirementsPage } from './requirements-page.ts'

/** Columns of the help: as wide as the rest of the documentation. */
const width = 110

/** The whole page. */
async function commandsPage(): Promise<string> {
  let printed = ''
  const stdout = { write: (text: string) => (printed += text) }
  const nobody = { environment: {}, signals: process, leave: () => undefined }
  const program = await commandLine({ stdout, stderr: stdout, ...nobody }, () => undefined)
  const helpOf = (command: (typeof program.commands)[number]): string => {
    printed = ''
    command.configureHelp({ helpWidth: width }).outputHelp()
    return printed.trim()
  }
  const commands = program.commands.filter((command) => command.name() !== 'help')
  return page([
    '# Commands',
    'What `portal-conformance COMMAND --help` prints, for every command.',
    list(commands.map((command) => `${linkTo(command.name())}: ${command.description()}`)),
    '## portal-conformance',
    fenced(helpOf(program), 'text'),
    ...commands.flatMap((command) => [
      `${anchor(command.name())}\n\n## ${command.name()}`,
      fenced(helpOf(command), 'text'),
    ]),
  ])
}

interface Page {
  /** Its name in docs/. */
  readonly file: string
  readonly render: () => string | Promise<string>
}

export const pages: readonly Page[] = [
  { file: 'commands.md', render: commandsPage },
  { file: 'configuration.md', render: configurationPage },
  { file: 'requirements.md', render: requirementsPage },
  { file: 'open-points.md', render: openPointsPage },
  { file: 'profiles.md', render: profilesPage },
]
