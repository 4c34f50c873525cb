import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UserProject } from './installed-package.fixture.ts'

const project = new UserProject([])
afterAll(() => project.remove())

const root = join(project.path, 'node_modules', 'portal-conformance')

const documents = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(root, name))

/** Paths of files that a page links to, without URLs and anchors of the page itself. */
function linksIn(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?\)/g)]
    .map(([, target = '']) => target.split('#')[0] as string)
    .filter((target) => target !== '' && !/^[a-z][a-z+.-]*:/i.test(target))
}

test('every link in a packed document points to a file of the package', () => {
  expect(documents.length).toBeGreaterThan(15)
  const broken = documents.flatMap((file) =>
    linksIn(readFileSync(file, 'utf8'))
      .filter((target) => !existsSync(join(dirname(file), decodeURI(target))))
      .map((target) => `${relative(root, file)}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('the package runs no script when installed: prepare works only in a checkout', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of ['preinstall', 'install', 'postinstall', 'prepublish'])
    expect(scripts).not.toHaveProperty(name)
  // A build would fail here, without devDependencies.
  const printed = execFileSync('npm', ['run', '--silent', 'prepare'], { cwd: root, encoding: 'utf8' })
  expect(printed).toBe('')
})

test('the package contains the needed files, and no build or development files', () => {
  const needless = ['dist/.tsbuildinfo', 'dist/bench', 'dist/documentation', 'cli', 'suites']
  expect(needless.filter((name) => existsSync(join(root, name)))).toEqual([])
  const needed = [
    'LICENSE',
    'README.md',
    'dist/cli/main.js',
    'docs/getting-started.md',
    'examples/portal-python/__main__.py',
    'examples/vitest-project/package.json',
  ]
  expect(needed.filter((name) => !existsSync(join(root, name)))).toEqual([])
})
