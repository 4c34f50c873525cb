/** A browser and an HTML report with everything in it, for the tests of one file. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { everything } from '../everything.fixture.ts'
import { html } from '../rendering.fixture.ts'

// Background requests of the browser must not look like requests of the page.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const { CHROMIUM_PATH: executablePath = '/usr/bin/chromium' } = process.env
const isInstalled = existsSync(executablePath)

let browser: Browser
let folder: string
let address: string
const opened: BrowserContext[] = []

/** Starts the browser before the tests of the file and closes pages after each test. Skips the tests without a browser. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (!isInstalled) return
    browser = await chromium.launch({ executablePath, args: flags })
    folder = await mkdtemp(join(tmpdir(), 'pc-html-'))
    address = await writePage('report', html(everything()))
  })

  beforeEach(({ skip }) => {
    skip(!isInstalled, `no Chromium at ${executablePath}; CHROMIUM_PATH can name one`)
    return async () => {
      for (const context of opened.splice(0)) await context.close()
    }
  })

  afterAll(async () => {
    if (!isInstalled) return
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Writes another page and resolves with its address. */
export async function writePage(name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.html`)
  await writeFile(file, text)
  return pathToFileURL(file).href
}

/** A reader's browser, without a page. */
export async function reader(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  opened.push(context)
  return context
}

/** Opens the page in a new browser context. */
export async function open(hash = '', options: BrowserContextOptions = {}, url = address): Promise<Page> {
  const page = await (await reader(options)).newPage()
  await page.goto(`${url}${hash}`)
  return page
}

/** Whether the `<details>` around the element with this id is open. */
export const isOpen = (page: Page, id: string): Promise<boolean> =>
  page.evaluate(`document.getElementById(${JSON.stringify(id)}).closest('details').open`) as Promise<boolean>

/** The number of requirements that the page shows, in its own words. */
export const hits = (page: Page): Promise<string | null> => page.locator('#hits').textContent()
