import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findPeer } from './find-peer.ts'

const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-peer-'))
const program = join(folder, 'tool')
writeFileSync(program, '')
chmodSync(program, 0o755)
writeFileSync(join(folder, 'text'), '')
afterAll(() => rmSync(folder, { recursive: true }))

const tool = { command: 'tool', variable: 'BENCH_TOOL' }

test('the PATH is searched in its order', () => {
  expect(findPeer(tool, { PATH: ['/nowhere', folder].join(delimiter) })).toEqual({ program })
})

test('the variable goes before the PATH', () => {
  expect(findPeer({ ...tool, command: 'other' }, { PATH: '', BENCH_TOOL: program })).toEqual({ program })
})

test.each([
  ['is on no PATH', { PATH: '/nowhere' }, 'no tool on the PATH; BENCH_TOOL may name it'],
  ['was named and cannot be run', { BENCH_TOOL: join(folder, 'text') }, 'not a program that can be run'],
])('says why a tool is left out that %s', (_, environment, reason) => {
  expect(findPeer(tool, environment)).toEqual({ reason: expect.stringContaining(reason) })
})
