/** The generated pages of the documentation: what each file is made by. */
import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { openPointsPage } from './open-points-page.ts'
import { profilesPage } from './profiles-page.ts'
import { requirementsPage } from './requirements-page.ts'

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
