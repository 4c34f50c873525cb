/** A browser with the page of a run that has everything, for the tests of one file. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { launchChromium, withoutChromium } from './chromium.fixture.ts'
import { everything, pageFolder } from './page.fixture.ts'

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
    address = await folder.write('report', everything())
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
export const written: Awaited<ReturnType<typeof pageFolder>>['write'] = (name, results) =>
  folder.write(name, results)

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
