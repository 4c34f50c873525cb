/** Renders results of 20,000 checks, copied from the checks in a file. Prints sizes, times and peak memory as JSON. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [built, file] = process.argv.slice(2)
const load = (path) => import(pathToFileURL(join(built, path)).href)
const { formatNames, writeFormat } = await load('reporters/document.js')
const { writeResults } = await load('reporters/results-json.js')
const { terminalReport } = await load('reporters/report/report.js')
const { plain } = await load('reporters/terminal/sheet.js')

const few = JSON.parse(readFileSync(file, 'utf8'))
const each = Math.ceil(20_000 / few.requirements.length)
const checks = few.requirements.flatMap((requirement) => requirement.checks)
const passed = checks.find(({ outcome }) => outcome === 'passed')
const others = checks.filter(({ outcome }) => outcome !== 'passed')
const [exchange] = checks.flatMap(({ evidence = [] }) => evidence)
/** One check in this many is not passed. */
const rarity = 50
const name = 'a'.repeat(500)

function copyOf(id, at) {
  const { failure, ...check } = at % rarity > 0 ? passed : others[(at / rarity) % others.length]
  return {
    ...check,
    id: `${id}:${at}`,
    ...(failure && { failure: { ...failure, message: `${failure.message} ${at % 100} of ${id}` } }),
    evidence: [0, 1].map((position) => ({
      ...exchange,
      request: { ...exchange.request, body: `${exchange.request.body}&at=${at}&position=${position}` },
      response: { ...exchange.response, body: `{"success":true,"at":${at},"name":"${name}"}` },
    })),
  }
}

const results = {
  ...few,
  requirements: few.requirements.map((requirement) => ({
    ...requirement,
    // Created on each access, so that the measured memory is what the reports keep.
    get checks() {
      return Array.from({ length: each }, (_, at) => copyOf(requirement.id, at))
    },
  })),
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
      const report = join(folder, name)
      await writeFormat(name, results, report)
      const { size } = statSync(report)
      rmSync(report)
      return size
    })
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.stdout.write(JSON.stringify({ checks: each * few.requirements.length, measured }))
