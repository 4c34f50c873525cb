/** Commands typed wrongly, in the ways people do: one to four lines, and what to do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'

let folder: string

const files = {
  'slip.yaml': 'target:\n  baseUrl: http://127.0.0.1:1/x\n version: "11"\n',
  'tab.yaml': 'target:\n\tbaseUrl: http://127.0.0.1:1/x\n',
  'twice.yaml': 'target: {}\ntarget: {}\n',
  'open.json': '{"target": {"baseUrl": "http://127.0.0.1:1/x"}',
  'key.yaml': 'targt: { baseUrl: "http://127.0.0.1:1/x" }\n',
  'a-file': '',
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pc-typed-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'a-folder'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe.each<[string, RegExp]>([
  ['runn --reference', /Did you mean run\?/],
  ['help rnu', /Did you mean run\?/],
  ['--reference', /portal-conformance --help/],
  ['run', /--config FILE/],
  ['run slip.yaml', /named with --config FILE/],
  ['run --config', /argument missing/],
  ['run --config nothing.yaml', /there is no such file/],
  ['run --config a-folder', /it is a folder; a configuration in YAML or JSON is expected/],
  ['run --config slip.yaml', /slip\.yaml:3:\d+: not valid YAML: .*same number of spaces/],
  ['run --config tab.yaml', /tab\.yaml:2:1: not valid YAML: .*spaces in place of tabs/],
  ['run --config twice.yaml', /twice\.yaml:2:1: not valid YAML: .*keep one/],
  ['run --config open.json', /open\.json:1:\d+: not valid YAML: .*not closed/],
  ['run --config key.yaml', /targt: unknown; did you mean target\?/],
  ['run --reference --runs many', /A whole number from 1 is expected/],
  ['run --reference --reporter htlm', /There is no reporter htlm\. Known are terminal, json, html/],
  ['run --reference --requirement nope/*', /matches nothing; near are/],
  ['run --reference --operation addWorkspace', /near are add-workspace/],
  ['run --reference --shard 1/3', /unknown option '--shard'/],
  ['replay slip.yaml', /unknown command 'replay'/],
  ['run --failed a-folder', /results\.json: cannot be read: there is no such file/],
  ['run --failed slip.yaml', /did it come from "portal-conformance run"\?/],
  ['run --failed a-file --seed 3', /'--failed <RESULTS>' cannot be used with option '--seed <N>'/],
  [
    'run --reference --effects add-workspaces',
    /--effects .*There is no operation add-workspaces\. Known are all/,
  ],
  ['run --reference --times 3', /--times: .* needs --failed RESULTS/],
  ['run --reference --bail never', /A whole number from 1 is expected/],
  ['fleet nothing.yaml --shard 3', /such as 1\/3/],
  ['fleet nothing.yaml --shrad 1/2', /Did you mean --shard\?/],
  ['run --reference --fault name-shortend', /The nearest: name-shortened/],
  ['run --reference --out a-file/below', /--out .*: cannot be written: a part of that path is a file/],
  ['run --reference --out /proc/nowhere/below', /--out .*: cannot be written: .*name another place/],
  ['selftest --id plus-kept --out a-file/below', /cannot be written: a part of that path is a file/],
  [
    'init --base-url http://127.0.0.1:1/x --host-id h --out a-file/below',
    /cannot be written: a part of that path is a file/,
  ],
  ['cleanup a-folder', /a-folder: cannot be read: it is a folder; a file is expected/],
  ['cleanup nothing.ndjson', /nothing\.ndjson: cannot be read: there is no such file/],
  ['report', /missing required argument 'RESULTS'/],
  ['report a-folder', /results\.json: cannot be read: there is no such file/],
  ['report slip.yaml', /did it come from "portal-conformance run"\?/],
  ['compare a-folder --history', /no results\.json in it, nor in a folder below/],
  ['compare a-file --history --gate new', /'--history' cannot be used with option '--gate <WHAT>'/],
  ['compare a-file', /at least two results are expected, such as compare A B/],
])('%s', (line, advice) => {
  it('is answered with what to do, on one to four lines', async () => {
    const inFolder = (word: string) =>
      word.split('/')[0]! in files || word === 'a-folder' ? join(folder, word) : word
    const observed = observedContext({})
    const code = await runProgram(line.split(' ').map(inFolder), observed)
    const said = observed.complained()
    expect(code).toBe(2)
    expect(said).toMatch(advice)
    expect(said.trimEnd().split('\n').length).toBeLessThanOrEqual(4)
    expect(said + observed.printed()).not.toMatch(/^ {4}at |node:|\.ts:\d/m)
  })
})
