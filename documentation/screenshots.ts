/** Takes the pictures of docs/screenshots: `npm run screenshots`. Needs Chromium; CHROMIUM_PATH names another one. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { runConformance } from '../cli/api.ts'
import { startPortal } from '../reference/portal.ts'
import { writeReport } from '../reporters/index.ts'

const screenshots = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))
const main = fileURLToPath(new URL('../cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'screenshots-'))

/** The page of that file, as docs/screenshots/NAME.png. */
async function picture(browser: Browser, file: string, name: string, height: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height } })
  await page.goto(pathToFileURL(file).href)
  await page.screenshot({ path: join(screenshots, `${name}.png`) })
  await page.close()
}

/** The report of the fault that README.md and getting-started.md use. */
async function report(): Promise<string> {
  const portal = await startPortal({ faults: ['name-limit-99'] })
  const results = await runConformance({ configuration: portal.configuration, seed: 7, runs: 5 })
  await portal.close()
  const file = join(folder, 'report.html')
  await writeReport('html', results, file)
  return file
}

/** The matrix of four deployments: one has two faults. */
async function matrix(): Promise<string> {
  const faults = { vienna: [], oslo: [], lima: ['name-limit-99', 'any-participant-syncs'], accra: [] }
  const portals = await Promise.all(
    Object.entries(faults).map(async ([name, given]) => {
      const portal = await startPortal({ faults: given })
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(portal.configuration))
      return portal
    }),
  )
  const files = Object.keys(faults).map((name) => `${name}.json`)
  // The exit code says that one of them is broken.
  await new Promise<void>((resolve) => {
    const words = [main, 'fleet', ...files, '--runs', '1', '--seed', '7', '--out', 'fleet']
    execFile(process.execPath, words, { cwd: folder }, () => resolve())
  })
  await Promise.all(portals.map((portal) => portal.close()))
  return join(folder, 'fleet', 'matrix.html')
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
await picture(browser, await report(), 'report', 900)
await picture(browser, await matrix(), 'matrix', 800)
await browser.close()
rmSync(folder, { recursive: true })
