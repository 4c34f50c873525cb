/** Typical mistakes in command lines: each exits with 2 and prints advice in at most four lines. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../process/in-process.fixture.ts'
import { folderOfFile } from '../process/test-folder.fixture.ts'

const files = {
  'slip.yaml': 'target:\n  baseUrl: http://127.0.0.1:1/x\n version: "11"\n',
  'tab.yaml': 'target:\n\tbaseUrl: http://127.0.0.1:1/x\n',
  'twice.yaml': 'target: {}\ntarget: {}\n',
  'open.json': '{"target": {"baseUrl": "http://127.0.0.1:1/x"}',
  'key.yaml': 'targt: { baseUrl: "http://127.0.0.1:1/x" }\n',
  'three.yaml': 'target: { baseURL: x }\n',
  'a-file': '',
}

const folder = folderOfFile()
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
mkdirSync(join(folder, 'a-folder'))

test.each<[string, RegExp]>([
  ['runn --reference', /Did you mean run\?/],
  ['--reference', /portal-conformance --help/],
  ['run', /no target\. .*Name the target:[\s\S]*--config FILE[\s\S]*--reference[\s\S]*\binit\b/],
  ['run --dry-run', /no target/],
  ['doctor', /^no target\. There is no portal-conformance\.yaml in this folder\. Name the target:\n/],
  ['run --refrence', /unknown option '--refrence'/],
  ['run --config a.yaml --reference', /--config and --reference exclude each other/],
  ['run --config a.yaml --fault x', /they need --reference/],
  ['run slip.yaml', /too many arguments for 'run'/],
  ['run --config', /argument missing/],
  ['run --config nothing.yaml', /there is no such file/],
  ['run --config a-folder', /it is a folder; a configuration in YAML or JSON is expected/],
  ['run --config slip.yaml', /slip\.yaml:3:\d+: not valid YAML: .*same column/],
  ['run --config tab.yaml', /tab\.yaml:2:1: not valid YAML: .*[Tt]abs/],
  ['run --config twice.yaml', /twice\.yaml:2:1: not valid YAML: .*unique/],
  ['run --config open.json', /open\.json:1:\d+: not valid YAML: .*must end with a }/],
  ['run --config three.yaml', /portals: missing\n.*target\.baseUrl: missing\n.*did you mean baseUrl\?/],
  ['run --config key.yaml', /targt: unknown; did you mean target\?/],
  ['run --reference --seed 99999999999', /--seed: /],
  ['run --reference --for long', /A duration is expected, such as 90s, 30m or 8h\./],
  ['run --reference --runs many', /A whole number from 0 is expected/],
  ['run --reference --runs 1e3', /A whole number from 0 is expected/],
  ['run --reference --runs 1.5', /A whole number from 0 is expected/],
  ['run --reference --runs -1', /A whole number from 0 is expected/],
  ['run --reference --seed abc', /A whole number is expected/],
  ['run --reference --requirement=', /^--requirement: a value is expected; the given one is empty$/m],
  ['run --config=', /^--config: a value is expected; the given one is empty$/m],
  ['selftest --id plus-kept --id=', /^--id: a value is expected; the given one is empty$/m],
  [
    'run --reference --dry-run --waivers nothing.yaml',
    /nothing\.yaml: cannot be read: there is no such file/,
  ],
  ['serve --port 70000', /A whole number from 0 to 65535 is expected/],
  ['run --reference --reporter htlm', /There is no reporter htlm\. Known are terminal, json, html/],
  ['run --reference --requirement nope/*', /matches nothing; near are/],
  ['run --reference --requirement add-workspace', /matches nothing; near are add-workspace\/\*, /],
  [
    'run --reference --requirement add-workspace/* --requirement add-workspace/create',
    /^--requirement add-workspace\/create: matches nothing; near are add-workspace\/creates, /,
  ],
  [
    'run --reference --operation sync-workspaces',
    /^--operation sync-workspaces: there is no such operation; near are sync-workspace, /,
  ],
  [
    'run --reference --operation sync-workspace --requirement add-workspace/*',
    /^nothing is selected: no check matches both --operation and --requirement$/m,
  ],
  ['run --reference --shard 1/3', /unknown option '--shard'/],
  ['replay slip.yaml', /unknown command 'replay'[\s\S]*What there is: portal-conformance --help\n/],
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
    'init --base-url http://127.0.0.1:1/x --out a-file/below',
    /cannot be written: a part of that path is a file/,
  ],
  ['init --base-url foo', /--base-url: a URL that begins with https:\/\/ or http:\/\/ is expected/],
  ['init --profile arcgs', /did you mean arcgis\?/],
  ['cleanup a-folder', /a-folder\/journal\.ndjson: cannot be read: there is no such file/],
  ['cleanup nothing.ndjson', /nothing\.ndjson: cannot be read: there is no such file/],
  ['report', /missing required argument 'RESULTS'\n+What is expected: portal-conformance report --help\n/],
  ['report none.json --waivers w.yaml', /none\.json: cannot be read/],
  ['requirements --operation nope', /Allowed choices are protocol, /],
  ['requirements --level should', /Allowed choices are must, implied, advice/],
  ['validate a-folder', /holds no file that ends in \.har/],
  ['validate nothing.har', /there is no such file/],
  ['validate nothing.har --profile arcgs', /did you mean arcgis\?/],
  ['completion cmd', /Allowed choices are bash, zsh, fish/],
  ['report a-folder', /results\.json: cannot be read: there is no such file/],
  ['report slip.yaml', /did it come from "portal-conformance run"\?/],
  ['compare a-folder --history', /no results\.json in it, nor in a folder below/],
  ['compare a-file --history --gate new', /'--history' cannot be used with option '--gate <WHAT>'/],
  ['compare a-file', /at least two results are expected, such as compare A B/],
])('"%s" exits with 2 and prints advice', async (line, advice) => {
  const inFolder = (word: string) =>
    word.split('/')[0]! in files || word === 'a-folder' ? join(folder, word) : word
  const { code, out, err } = await command(line.split(' ').map(inFolder).join(' '))
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(advice)
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(4)
  expect(err).not.toMatch(/^ {4}at |node:|\.ts:\d/m)
})

test('an empty command line prints the help on stderr', async () => {
  const { code, out, err } = await command('')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/Usage: portal-conformance/)
})
