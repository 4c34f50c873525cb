import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedCheck, waivedCheck, wholeResults } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { partialFile, writeResults } from '../../reporters/results-json.ts'
import { command } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'

async function writeStatement(results: Results) {
  const folder = testFolder()
  const file = await writeResults(folder, results)
  const out = join(folder, 'statement')
  const ended = await command('report', file, '--statement', out)
  return { ...ended, out: ended.out.replace(folder, ''), folder: out, file }
}

const files = [
  ...['SHA256SUMS', 'STATEMENT.md', 'badge.json', 'badge.svg', 'junit.xml', 'report.html', 'results.json'],
]

test('report --statement writes a folder whose digests detect a changed file', async () => {
  const { code, out, err, folder, file } = await writeStatement(wholeResults())
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(
    'Host: conformant\nGuest: conformant\nContent: conformant\nTasks: conformant\nFederation: conformant\n/statement\n',
  )
  expect(readdirSync(folder).sort()).toEqual([...files].sort())
  expect(readFileSync(join(folder, 'results.json'))).toEqual(readFileSync(file))
  const check = () =>
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' }).toString()
  expect(check().match(/: OK$/gm)).toHaveLength(files.length - 1)
  writeFileSync(join(folder, 'STATEMENT.md'), 'All is well.')
  expect(check).toThrow()
})

const { complete: _, ...cutShort } = wholeResults()
const failed = wholeResults([failedCheck('sync-workspace/starts', 'x')])

test.each<[string, Results, number, string, RegExp]>([
  ['failed', failed, 1, 'Guest: non-conformant', /Guest is not called conformant:\n {2}failed: sync-/],
  ['was cut short', cutShort, 3, 'Host: not shown', /Host is not .*:\n {2}the run was cut short/],
])('report --statement does not call a run conformant that %s', async (_, results, expected, line, why) => {
  const { code, out, err, folder } = await writeStatement(results)
  expect(code).toBe(expected)
  expect(out).toContain(`${line}\n`)
  expect(err).toMatch(why)
  expect(readdirSync(folder)).toContain('SHA256SUMS')
})

test('report --statement and --badge exit with 4 or 2 if a file cannot be written or read', async () => {
  const folder = testFolder()
  const file = await writeResults(folder, wholeResults())
  for (const option of ['--statement', '--badge'])
    expect(await command('report', file, option, join(file, 'x'))).toMatchObject({
      code: 4,
      err: expect.stringContaining('was not written'),
    })
  expect((await command('report', join(folder, 'none.json'), '--statement', folder)).code).toBe(2)
})

test.each([
  [['--badge', 'b.png'], /^--badge b\.png: a file that ends with \.svg or \.json is expected\n$/],
  [['--owner', 'me'], /^--owner: needs --waivers FILE\n$/],
])('report refuses %j', async (words, message) => {
  const { code, out, err } = await command(
    'report',
    await writeResults(testFolder(), wholeResults()),
    ...words,
  )
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(message)
})

test('report names what a run that was killed has measured', async () => {
  const folder = testFolder()
  writeFileSync(partialFile(folder), '')
  const { code, err } = await command('report', folder)
  expect([code, err]).toEqual([2, expect.stringContaining(`what it measured is in ${partialFile(folder)}`)])
})

test('report --badge writes an image and an endpoint', async () => {
  const folder = testFolder()
  const file = await writeResults(folder, wholeResults([waivedCheck('sync-workspace/starts')]))
  const [svg, json] = [join(folder, 'badge.svg'), join(folder, 'badge.json')]
  expect(await command('report', file, '--badge', svg, '--badge', json)).toMatchObject({
    code: 0,
    out: `${svg}\n${json}\n`,
  })
  expect(readFileSync(svg, 'utf8')).toContain('conformant (waived 1)')
  expect(JSON.parse(readFileSync(json, 'utf8')).message).toBe('conformant (waived 1)')
})
