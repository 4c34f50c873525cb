import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testPortal } from '../process/test-portal.fixture.ts'
import { main, UserFolder } from './command.fixture.ts'

/** Runs a command line as if pasted into a shell. */
function pasted(line: string, folder: UserFolder): Promise<number> {
  const script = line.replace(/^portal-conformance/, `'${process.execPath}' '${main}'`)
  return new Promise((resolve) =>
    execFile('sh', ['-c', script], { cwd: folder.path }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    ),
  )
}

/** The text of a page, with entities decoded. */
const textOf = (page: string): string =>
  page
    .replace(/&(?:#39|#x27|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')

it('every report has the repeat command of each finding, and one finds it again in a shell', async () => {
  const faults = ['guests-add-workspaces', 'name-limit-99', 'workspace-size-as-string']
  const portal = await testPortal({ faults })
  const folder = new UserFolder()
  const { actors, ...configuration } = portal.configuration
  folder.write("it's $HOME.json", JSON.stringify({ ...configuration, actors, effects: ['add-workspace'] }))
  const reporters = ['--reporter', 'terminal,json,html,junit,markdown']
  const run = [
    'run',
    '--config',
    "it's $HOME.json",
    '--runs',
    '2',
    '--operation',
    'add-workspace',
    ...reporters,
  ]
  const { code, stdout } = await folder.run([...run, '--base-url', portal.baseUrl])
  expect(code).toBe(1)
  // Findings of one cause share a card, which has one command.
  const commands = folder.results().requirements.flatMap(({ checks }) => {
    const [first] = checks.filter(({ outcome }) => outcome === 'failed')
    return first === undefined ? [] : [first.failure?.repeat ?? '']
  })
  expect(commands.length).toBeGreaterThanOrEqual(faults.length)
  const report = (name: string) => readFileSync(join(folder.path, 'portal-conformance-report', name), 'utf8')
  const reports = [stdout, report('summary.md'), textOf(report('report.html')), textOf(report('junit.xml'))]
  for (const command of commands) {
    for (const text of reports) expect(text).toContain(command)
  }
  expect(await pasted(commands.at(-1) as string, folder)).toBe(1)
})
