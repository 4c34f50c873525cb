import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../deployment/http/server.fixture.ts'
import { type RunEntry, readJournal } from '../../deployment/journal/journal.ts'
import { admitBefore } from '../../reference/alterations.ts'
import type { PortalOptions } from '../../reference/portal.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { type SharedPortal, sharedPortal } from './shared-portal.fixture.ts'

interface KilledRun {
  readonly shared: SharedPortal
  readonly folder: string
  readonly config: string
  readonly journal: string
  /** The collaborations that the provider gave to the run. */
  readonly ids: readonly string[]
}

/** A run that was killed after it got two collaborations. */
async function killedRun(
  changes: object = {},
  providerRemoves = false,
  options: PortalOptions = {},
): Promise<KilledRun> {
  const shared = await sharedPortal(providerRemoves, options)
  onTestFinished(() => shared.close())
  const folder = testFolder()
  const { target, portals, fixtures } = shared.configuration
  const config = join(folder, 'portal.json')
  writeFileSync(config, JSON.stringify({ ...shared.configuration, ...changes }))
  const ids: string[] = []
  for (let count = 0; count < 2; count += 1) {
    const headers = { 'x-portal-conformance-run': 'pc-killed' }
    const answer = await fetch(`${fixtures.url}/collaboration`, { method: 'POST', headers, body: '{}' })
    ids.push(((await answer.json()) as { collaborationId: string }).collaborationId)
  }
  const run: RunEntry = {
    entry: 'run',
    format: 'portal-conformance/journal',
    formatVersion: 1,
    id: 'pc-killed',
    time: '2026-01-31T12:00:00.000Z',
    suite: { version: '1' },
    target: { baseUrl: target.baseUrl, hostPortal: portals.host.id },
    options: { config },
  }
  const entries = [run, ...ids.map((id) => ({ entry: 'thing', kind: 'collaboration', id, portal: 'host' }))]
  const journal = join(folder, 'journal.ndjson')
  writeFileSync(journal, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { shared, folder, config, journal, ids }
}

/** Replaces the options of the run in its journal. */
function rewriteOptions(journal: string, options: object): void {
  const text = readFileSync(journal, 'utf8')
  writeFileSync(journal, text.replace(/"options":\{[^}]*\}/, `"options":${JSON.stringify(options)}`))
}

const remaining = ({ shared, ids }: KilledRun) => ids.filter((id) => shared.collaborations().has(id))

describe('cleanup', () => {
  it('deletes only the collaborations of the run, and sends nothing when repeated', async () => {
    const left = await killedRun()
    const before = [...left.shared.collaborations().keys()].filter((id) => !left.ids.includes(id))
    appendFileSync(left.journal, '{"entry":"thin')
    const { code, out } = await command('cleanup', left.folder)
    expect(out).toContain('2 of 2 collaborations removed')
    expect(out).toContain('The fixture provider removes nothing')
    expect([code, remaining(left)]).toEqual([0, []])
    expect([...left.shared.collaborations().keys()]).toEqual(before)
    expect(readJournal(left.journal).entries).toMatchObject([
      { entry: 'run' },
      { entry: 'cleanup', provider: 'not-offered' },
    ])
    const written = readFileSync(left.journal)
    const { requests } = left.shared.portal
    expect(await command('cleanup', left.journal)).toEqual({
      code: 0,
      out: 'Nothing is left of run pc-killed: it was cleaned up before, so nothing is sent.\n',
      err: '',
    })
    expect([left.shared.portal.requests, readFileSync(left.journal)]).toEqual([requests, written])
  })

  it('lists the leftovers and deletes nothing if effects does not allow it', async () => {
    const left = await killedRun({ effects: [] })
    const { code, out } = await command('cleanup', left.journal)
    expect([code, remaining(left), left.shared.portal.requests]).toEqual([3, left.ids, 0])
    const why = 'with the workspaces that the run added: effects does not allow delete-collaboration'
    const lines = left.ids.map((id) => `  collaboration ${id}, ${why}\n`)
    expect(out).toContain(`Left:\n${lines.join('')}`)
    const allowed = await command('cleanup', left.journal, '--effects', 'delete-collaboration')
    expect([allowed.code, remaining(left)]).toEqual([0, []])
  })

  it('sends nothing to the target if the provider removes the fixtures of the run', async () => {
    const left = await killedRun({ effects: [] }, true)
    const { code, out } = await command('cleanup', left.journal)
    expect([code, remaining(left), left.shared.portal.requests]).toEqual([0, [], 0])
    expect(out).toContain('The fixture provider removed what it handed out for this run.\nNothing is left.')
  })

  it('treats a collaboration that the target no longer has as removed', async () => {
    const left = await killedRun()
    for (const id of left.ids) left.shared.portal.store.collaborations.delete(id)
    expect(await command('cleanup', left.journal)).toMatchObject({ code: 0, err: '' })
  })

  it('keeps a collaboration if a page in front of the target says that there is nothing', async () => {
    const left = await killedRun({}, false, {
      alter: admitBefore(({ response }) =>
        response.req.url?.includes('/delete')
          ? {
              status: 404,
              headers: { 'content-type': 'text/html' },
              body: Buffer.from('<html><title>Not Found</title></html>'),
            }
          : undefined,
      ),
    })
    const { code, out } = await command('cleanup', left.journal)
    expect([code, remaining(left)]).toEqual([3, left.ids])
    expect(out).toContain(`collaboration ${left.ids[0]}, with the workspaces that the run added: `)
  })

  it('exits with 3 if the target refuses, the actor is missing or the provider is unreachable', async () => {
    const wrong = await killedRun({ actors: { hostAdministrator: { credential: 'nobodys-token' } } })
    const refused = await command('cleanup', wrong.journal)
    expect([refused.code, remaining(wrong)]).toEqual([3, wrong.ids])
    expect(refused.out).toContain(
      `collaboration ${wrong.ids[1]}, with the workspaces that the run added: not accepted: HTTP`,
    )
    expect(refused.out).not.toContain('nobodys-token')

    const missing = await killedRun({ actors: {}, fixtures: { url: 'http://127.0.0.1:1' } })
    const unreached = await command('cleanup', missing.journal)
    expect(unreached.code).toBe(3)
    expect(unreached.out).toContain('actors.hostAdministrator is missing')
    expect(unreached.out).toContain('The fixture provider did not clean up')
    expect(unreached.err).toContain('ECONNREFUSED')
  })

  it('refuses the journal of another target, and sends nothing', async () => {
    const [left, other] = [await killedRun(), await killedRun()]
    const { code, err } = await command('cleanup', left.journal, '--config', other.config)
    expect(err).toContain('is the journal of another target: it was made on ')
    expect([code, remaining(left), other.shared.portal.requests]).toEqual([2, left.ids, 0])
    const elsewhere = await command('cleanup', left.journal, '--base-url', 'http://127.0.0.1:1/rest')
    expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('another target')])
  })

  it('refuses a file that is no journal, and a journal that names no configuration', async () => {
    const left = await killedRun()
    expect(await command('cleanup', left.config)).toMatchObject({
      code: 2,
      err: expect.stringContaining('line'),
    })
    rewriteOptions(left.journal, {})
    expect(await command('cleanup', left.journal)).toMatchObject({
      code: 2,
      err: expect.stringContaining('name it with --config FILE'),
    })
    expect((await command('cleanup', left.journal, '--config', left.config)).code).toBe(0)
  })

  it('does nothing for a run on the embedded portal, which ended with the run', async () => {
    const { journal } = await killedRun()
    rewriteOptions(journal, { reference: true })
    const { code, out } = await command('cleanup', journal)
    expect([code, out]).toEqual([0, 'Nothing is left of run pc-killed: its embedded portal ended with it.\n'])
  })
})

describe('run', () => {
  it('renames the journal of a run that did not clean up, and writes its own', async () => {
    const left = await killedRun()
    const few = 'run --requirement delete-collaboration/deletes --runs 1 --reporter json'
    const run = () => command(few, '--config', left.config, '--out', left.folder)
    const { err } = await run()
    const aside = join(left.folder, 'journal-pc-killed.ndjson')
    expect(err).toContain(`an earlier run did not clean up; to do that: portal-conformance cleanup ${aside}`)
    expect(remaining(left)).toEqual(left.ids)
    expect((await command('cleanup', aside)).code).toBe(0)
    expect(remaining(left)).toEqual([])
    expect((await run()).err).not.toContain('earlier run')
    expect(readdirSync(left.folder).filter((name) => name.startsWith('journal'))).toHaveLength(2)
  })

  it('warns about leftovers at its end, and prints the cleanup command', async () => {
    const left = await killedRun({ effects: ['add-workspace'] })
    rmSync(left.journal)
    const few = 'run --requirement add-workspace/creates --runs 1 --reporter json'
    const { err } = await command(few, '--config', left.config, '--out', left.folder)
    expect(err).toMatch(
      /Warning: \d+ collaborations? (is|are) left, with the workspaces that the run added.*effects does not allow/,
    )
    expect(err).toContain(`to clean up later: portal-conformance cleanup ${left.journal}`)
  })

  it('sends nothing if it cannot write its journal', async () => {
    const left = await killedRun()
    const closed = join(left.folder, 'closed')
    writeFileSync(closed, '')
    const { code, err } = await command('run --reporter terminal --config', left.config, '--out', closed)
    expect([code, left.shared.portal.requests]).toEqual([2, 0])
    expect(err).toContain('cannot be written')
    expect(existsSync(join(closed, 'journal.ndjson'))).toBe(false)
  })

  it('stops after 20 broken exchanges in a row, with one line on stderr and in the report', async () => {
    const { folder, config } = await killedRun()
    const origin = await serve((request, response) => {
      if (request.method === 'GET') response.end('{}')
      else request.socket.destroy()
    })
    const words = ['--config', config, '--base-url', `${origin}/rest`, '--out', folder]
    const { code, out, err } = await command('run --runs 1 --reporter terminal,json', ...words)
    const reported = 'Stopped: the run stopped sending after 20 broken exchanges in a row; the last: '
    expect(err.split('\n').filter((line) => line.startsWith(reported))).toHaveLength(1)
    expect(out.replaceAll(/\s+/g, ' ').split(reported)).toHaveLength(2)
    expect(code).toBe(3)
    expect(resultsIn(folder).run.stopped).toMatch(/^the run stopped sending after 20 /)
  })
})
