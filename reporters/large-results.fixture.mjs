/** A process that renders results of 50,000 checks: prints sizes, times and its peak of memory as JSON. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [built] = process.argv.slice(2)
const load = (path) => import(pathToFileURL(join(built, path)).href)
const { formatNames, writeFormat } = await load('reporters/document.js')
const { writeResults } = await load('reporters/results-json.js')
const { terminalReport } = await load('reporters/report/report.js')
const { plain } = await load('reporters/terminal/sheet.js')
const { requirements } = await load('specs/requirements.js')
const { outcomes, worst } = await load('specs/outcomes.js')

const checks = 50_000
const each = Math.ceil(checks / requirements.length)
/** Of this many checks one is not passed. */
const rarity = 50

/** A check with two exchanges of the usual size, as runs report them. */
function checkOf(requirement, index) {
  const outcome = index % rarity === 0 ? outcomes[(index / rarity) % outcomes.length] : 'passed'
  const id = `${requirement.id}:${index}`
  const found = outcome === 'failed' || outcome === 'waived' || outcome === 'warned'
  return {
    id,
    operation: requirement.operation,
    title: `title of ${id}`,
    outcome,
    durationMs: index % 40,
    requests: 2,
    ...(outcome === 'passed' || outcome === 'failed' ? {} : { reason: `reason ${index % 7}` }),
    ...(found ? { failure: failureOf(id, index) } : {}),
    ...(outcome === 'waived' ? { waiver: { reason: 'known', owner: 'team', expires: '2026-12-31' } } : {}),
    evidence: [exchange(index, 0), exchange(index, 1)],
  }
}

const failureOf = (id, index) => ({
  message: `finding ${index % 100} of ${id}`,
  expected: ['refused'],
  actual: 'accepted: HTTP 200',
  counterexample: 'x'.repeat(100),
  repeat: `portal-conformance run --config staging.yaml --requirement ${id}`,
})

const exchange = (index, position) => ({
  request: {
    method: 'POST',
    url: `https://staging.example.com/sharing/rest/portals/p/collaborations/${index}/addWorkspace`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: `collaborationWorkspaceName=${'a'.repeat(80)}&f=pjson&token=***&position=${position}`,
  },
  response: {
    status: 200,
    headers: { 'content-type': 'application/json;charset=utf-8', 'content-length': '600' },
    body: JSON.stringify({ success: true, workspace: { id: `w${index}`, name: 'a'.repeat(500) } }),
    durationMs: 12.5,
  },
  class: 'accepted',
  curl: `curl -sS -i -g -X POST 'https://staging.example.com/' --data-raw '${'a'.repeat(200)}'`,
  actor: 'hostAdministrator',
  atMs: index,
})

const reported = ({ id, level, operation, kind, section, text }) => ({
  id,
  level,
  operation,
  kind,
  section,
  text,
})

const outcomeOfAll = worst(
  Array.from({ length: each }, (_, index) => checkOf(requirements[0], index).outcome),
)

const results = {
  format: 'portal-conformance/results',
  formatVersion: 1,
  suite: { version: '0.1.0' },
  run: {
    id: 'pc-0',
    startedAt: '2025-06-15T12:00:00.000Z',
    durationMs: 1e6,
    seed: 1,
    runs: 25,
    requests: 1e5,
  },
  target: { baseUrl: 'https://staging.example.com/sharing/rest', profile: 'none' },
  verdict: 'non-conformant',
  totals: Object.fromEntries(
    outcomes.map((outcome) => [outcome, outcome === outcomeOfAll ? requirements.length : 0]),
  ),
  requirements: requirements.map((requirement) => ({
    ...reported(requirement),
    outcome: outcomeOfAll,
    // Made anew whenever they are looked at: what is measured is what the reports keep of them.
    get checks() {
      return Array.from({ length: each }, (_, index) => checkOf(requirement, index))
    },
  })),
  observations: [],
  complete: true,
}

const folder = mkdtempSync(join(tmpdir(), 'pc-large-'))
const measured = {}
const measure = async (name, render) => {
  const began = performance.now()
  const bytes = await render()
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024)
  measured[name] = { bytes, ms: Math.round(performance.now() - began), peakMiB }
}
try {
  const text = () => Buffer.byteLength(terminalReport(results, { width: 100, paint: plain }))
  await measure('terminal', text)
  await measure('json', async () => {
    const { size } = statSync(await writeResults(folder, results))
    return size
  })
  for (const name of formatNames) {
    await measure(name, async () => {
      const file = join(folder, name)
      await writeFormat(name, results, file)
      const { size } = statSync(file)
      rmSync(file)
      return size
    })
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.stdout.write(JSON.stringify({ checks: each * requirements.length, measured }))
