/** This suite, started as users start it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Results } from '../../reporters/results.ts'
import { program } from '../child.ts'
import type { Peer } from './peer.ts'

/** One generated case a check, which makes about 1,400 requests: it cannot do with less. */
export const ourSuite: Peer & { readonly program: readonly string[] } = {
  name: 'portal-conformance',
  sends: 'suite',
  command: 'portal-conformance',
  variable: '',
  program: [process.execPath, program],
  async prepare({ folder, portal }) {
    await writeFile(join(folder, 'portal.yaml'), stringify(portal.configuration))
    return {
      words: [
        'run',
        '--config',
        'portal.yaml',
        '--seed',
        '1',
        '--runs',
        '1',
        '--out',
        'report',
        '--reporter',
        'json',
      ],
      complaints: async () => complaintsIn(await readFile(join(folder, 'report', 'results.json'), 'utf8')),
    }
  },
}

/** The requirements that failed. */
export function complaintsIn(results: string): string[] {
  const { requirements } = JSON.parse(results) as Results
  return requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
}
