import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectRoot, UserProject } from './installed-package.fixture.ts'

function projectWith(dependencies?: readonly string[]): UserProject {
  const project = new UserProject(dependencies)
  onTestFinished(() => project.remove())
  return project
}

const validators = ['ajv', 'ajv-formats']

// Nothing else is installed beside the package, so any other import, such as of Vitest, would fail.
test.each([
  ['portal-conformance', [], 'ConformanceError,runConformance'],
  ['portal-conformance/schemas', validators, 'issuesOf,schemaNames,schemaOf,violations,violationsOf'],
  ['portal-conformance/matchers', validators, 'matchers'],
  [
    'portal-conformance/reporters',
    validators,
    'DocumentError,ResultsError,formatNames,readResults,writeReport,writeResults',
  ],
  [
    'portal-conformance/reference',
    ['@hono/node-server', 'hono', 'fastest-levenshtein'],
    'faultCatalogue,startPortal,variantCatalogue',
  ],
])('%s loads with only these dependencies: %j', async (entry, dependencies, names) => {
  const program = `console.log(Object.keys(await import('${entry}')).sort().join())`
  expect(await projectWith(dependencies).run(program)).toEqual({ code: 0, stdout: `${names}\n`, stderr: '' })
})

test('the declarations of the package need the types of Node and of no page', async () => {
  const project = projectWith()
  const entries = ['', '/matchers', '/reference', '/reporters', '/schemas']
  project.write('entries.ts', entries.map((entry) => `import 'portal-conformance${entry}'\n`).join(''))
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--lib', 'es2023', '--types', 'node']
  const { stdout } = await project.node(['node_modules/typescript/bin/tsc', ...options, 'entries.ts'])
  expect(stdout).toBe('')
})

test('the package exports validators, schemas, OpenAPI document and manifest, and no other files', async () => {
  const program = `
    import { violations } from 'portal-conformance/schemas'
    import results from 'portal-conformance/schemas/results.schema.json' with { type: 'json' }
    import contract from 'portal-conformance/openapi.json' with { type: 'json' }
    import manifest from 'portal-conformance/package.json' with { type: 'json' }
    console.log(violations('error', { error: { code: 400, message: 'no', details: [] } }).length)
    console.log(violations('error', {})[0])
    console.log(results.$schema, contract.openapi, manifest.name)
    for (const path of ['dist/cli/main.js', 'cli/program.js', 'dist/schemas/validators.js']) {
      await import('portal-conformance/' + path).catch(({ code }) => console.log(code))
    }`
  const { stdout } = await projectWith(validators).run(program)
  const closed = 'ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(3)
  expect(stdout).toBe(
    `0\nerror: missing\nhttps://json-schema.org/draft/2020-12/schema 3.1.0 portal-conformance\n${closed}`,
  )
})

test('runConformance prints nothing, writes no file and does not change the process', async () => {
  const project = projectWith()
  const program = `
    import { runConformance } from 'portal-conformance'
    import { startPortal } from 'portal-conformance/reference'
    const portal = await startPortal({ faults: ['name-shortened'] })
    const requirements = ['add-workspace/name-limit-*']
    const state = () => JSON.stringify([process.env, process.exitCode, process.cwd(), process.eventNames()])
    const before = state()
    const { verdict } = await runConformance({ configuration: portal.configuration, runs: 1, requirements })
    await portal.close()
    console.log(verdict, before === state() || before + state())`
  expect(await project.run(program)).toEqual({ code: 0, stdout: 'non-conformant true\n', stderr: '' })
  expect(readdirSync(project.path).sort()).toEqual(['node_modules', 'program.mjs'])
})

interface Example {
  readonly heading: string
  readonly program: string
  /** Undefined: the program must print nothing. */
  readonly output?: string
}

const page = readFileSync(join(projectRoot, 'docs', 'api.md'), 'utf8')

/** Each block of JavaScript on the page, with the output that follows it. */
const examples: readonly Example[] = page.split(/^#+ /m).flatMap((section) => {
  const program = /```js\n([\s\S]*?)```/.exec(section)?.[1]
  if (program === undefined) return []
  const output = /\nprints\n\n```text\n([\s\S]*?)```/.exec(section)?.[1]
  return [
    { heading: section.split('\n', 1)[0] as string, program, ...(output === undefined ? {} : { output }) },
  ]
})

test('docs/api.md: every block of JavaScript is found as an example', () => {
  expect(examples.length).toBe(page.split('```js\n').length - 1)
  expect(examples.length).toBeGreaterThan(5)
})

/** The examples run one after another in one process, which prints a line after each. */
test('docs/api.md: each example prints what the page says', async () => {
  const project = projectWith()
  const programs = examples.filter(({ heading }) => heading !== 'Matchers')
  const imports = programs.map(({ heading, program }, at) => {
    project.write(`example-${at}.mjs`, program)
    return `await import('./example-${at}.mjs')\nconsole.log(${JSON.stringify(`end of ${heading}`)})`
  })
  const printed = programs.map(({ heading, output = '' }) => `${output}end of ${heading}\n`)
  expect(await project.run(imports.join('\n'))).toEqual({ code: 0, stdout: printed.join(''), stderr: '' })
})

test('docs/api.md: the example of matchers passes as a test', async () => {
  const project = projectWith()
  const { program = '' } = examples.find(({ heading }) => heading === 'Matchers') ?? {}
  const inTest = program.replace(
    'expect.extend(matchers)\n',
    "expect.extend(matchers)\ntest('example', () => {\n",
  )
  project.write('example.test.mjs', `${inTest.replace('{ expect }', '{ expect, test }')}})`)
  const { code, stdout } = await project.node(['node_modules/vitest/vitest.mjs', 'run', 'example.test.mjs'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed')])
})
