/** A browser with the page of a run that has everything, for the tests of one file. */
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { everything } from '../everything.fixture.ts'
import { html } from '../rendering.fixture.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome']

// Nothing that a browser does for itself may look like something that the page does.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where the browser is: what CHROMIUM_PATH names, or the first on PATH; undefined where there is none. */
function chromiumPath(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: named, PATH: path = '' } = environment
  if (named !== undefined && named !== '') return named
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Why tests of the browser are skipped; undefined where there is one. */
export function withoutChromium(): string | undefined {
  return chromiumPath() === undefined
    ? `no Chromium on PATH (${names.join(', ')}); CHROMIUM_PATH can name one`
    : undefined
}

/** Starts the browser. To be closed by who starts it. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(withoutChromium())
  return chromium.launch({ executablePath, args: flags })
}

const reason = withoutChromium()

let browser: Browser
let folder: Awaited<ReturnType<typeof pageFolder>>
let address: string
const opened: Page[] = []

/** Starts the browser before the tests of the file, skips them where there is none, and tidies up after each. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (reason !== undefined) return
    browser = await launchChromium()
    folder = await pageFolder()
    address = await folder.write('report', html(everything()))
  })

  beforeEach(({ skip }) => {
    skip(reason !== undefined, reason)
    return async () => {
      for (const page of opened.splice(0)) await page.context().close()
    }
  })

  afterAll(async () => {
    await browser?.close()
    await folder?.remove()
  })
}

/** Writes another page and resolves with its address. */
export const written = (name: string, text: string): Promise<string> => folder.write(name, text)

/** The page as a reader opens it, in a context of its own. */
export async function open(hash = '', options: BrowserContextOptions = {}, url = address): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  opened.push(page)
  await page.goto(`${url}${hash}`)
  return page
}

/** Whether the folded part that holds the element of that id is open. */
export const isOpen = (page: Page, id: string): Promise<boolean> =>
  page.evaluate(`document.getElementById(${JSON.stringify(id)}).closest('details').open`) as Promise<boolean>

/** What the page says of how many requirements it shows. */
export const hits = (page: Page): Promise<string | null> => page.locator('#hits').textContent()

/** Writes pages into a folder of their own, each with its file: address; `remove` takes them away. */
export async function pageFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'pc-html-'))
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(folder, `${name}.html`)
    await writeFile(file, text)
    return pathToFileURL(file).href
  }
  return { write, remove: () => rm(folder, { recursive: true, force: true }) }
}
