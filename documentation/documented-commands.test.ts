import { expect, it } from 'vitest'
import { shownBlocks } from './documented-commands.fixture.ts'

const text = [
  'Text.',
  '',
  '```sh',
  '# a comment',
  "portal-conformance run --config a.yaml --requirement 'x/*'   # exit 1, as it should",
  '',
  'npx portal-conformance run --dry-run \\',
  '  --config a.yaml',
  '```',
  '```yaml',
  'portal-conformance: no command',
  '```',
  '',
  '    portal-conformance requirements   # prints them',
  '',
  '      portal-conformance run   (in a report)',
  '```console',
  '$ portal-conformance run   # the exit code is 4: exit 4',
  '```',
].join('\n')

it('shownBlocks finds the commands of shell blocks with their documented exit codes', () => {
  expect(shownBlocks('a.md', text)).toEqual([
    {
      document: 'a.md',
      at: 4,
      lines: [
        { at: 5, command: "portal-conformance run --config a.yaml --requirement 'x/*'", exit: 1 },
        { at: 7, command: 'npx portal-conformance run --dry-run --config a.yaml', exit: 0 },
      ],
    },
    { document: 'a.md', at: 14, lines: [{ at: 14, command: 'portal-conformance requirements', exit: 0 }] },
    { document: 'a.md', at: 18, lines: [{ at: 18, command: 'portal-conformance run', exit: 4 }] },
  ])
})
