import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot, UserProject } from './installed-package.fixture.ts'

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

let project: UserProject
beforeAll(() => {
  project = new UserProject()
})
afterAll(() => project.remove())

test('docs/api.md: every block of JavaScript is found as an example', () => {
  expect(examples.length).toBe(page.split('```js\n').length - 1)
  expect(examples.length).toBeGreaterThan(5)
})

/** The examples run one after another in one process, which prints a line after each. */
test('docs/api.md: each example prints what the page says', async () => {
  const programs = examples.filter(({ heading }) => heading !== 'Matchers')
  const imports = programs.map(({ heading, program }, at) => {
    project.write(`example-${at}.mjs`, program)
    return `await import('./example-${at}.mjs')\nconsole.log(${JSON.stringify(`end of ${heading}`)})`
  })
  const printed = programs.map(({ heading, output = '' }) => `${output}end of ${heading}\n`)
  expect(await project.run(imports.join('\n'))).toEqual({ code: 0, stdout: printed.join(''), stderr: '' })
})

test('docs/api.md: the example of matchers passes as a test', async () => {
  const { program = '' } = examples.find(({ heading }) => heading === 'Matchers') ?? {}
  const inTest = program.replace(
    'expect.extend(matchers)\n',
    "expect.extend(matchers)\ntest('example', () => {\n",
  )
  project.write('example.test.mjs', `${inTest.replace('{ expect }', '{ expect, test }')}})`)
  const { code, stdout } = await project.node(['node_modules/vitest/vitest.mjs', 'run', 'example.test.mjs'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed')])
})
