import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { everything } from '../everything.fixture.ts'
import { forgedResults } from '../hostile.fixture.ts'
import { compared, comparisons, html } from '../rendering.fixture.ts'
import { checkOf, resultsOf } from '../results.fixture.ts'
import { open, reader, withBrowser, writePage } from './browser.fixture.ts'

const differing = [resultsOf([checkOf('add-workspace/creates')]), everything(), forgedResults()]

const pages = {
  everything: () => html(everything()),
  hostile: () => html(forgedResults()),
  nothing: () => html(resultsOf([])),
  comparison: () => comparisons.html(compared(...differing), false),
  matrix: () => comparisons.html(compared(...differing), true),
}

withBrowser()

const openAll = "document.querySelectorAll('details').forEach((each) => { each.open = true })"

interface Watched {
  readonly page: Page
  readonly requests: string[]
  readonly messages: string[]
}

/** Opens the page and records its requests, console messages, errors, dialogs and popups. */
async function watch(url: string): Promise<Watched> {
  const context = await reader()
  const requests: string[] = []
  const messages: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  const page = await context.newPage()
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('dialog', (dialog) => {
    messages.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => messages.push(`popup: ${popup.url()}`))
  await page.goto(url)
  return { page, requests, messages }
}

/** Sends events to every element and clicks all links and buttons. */
const touchAll = `
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['mouseover', 'focus', 'mousedown', 'load', 'error', 'animationstart']) element.dispatchEvent(new Event(name))
  }
  for (const element of document.querySelectorAll('a, button')) element.click()
`

test.each(['everything', 'hostile', 'comparison', 'matrix'] as const)(
  'the page (%s) sends no requests and violates no rule of its security policy',
  async (name) => {
    const url = await writePage(name, pages[name]())
    const { page, requests, messages } = await watch(url)
    await page.evaluate(openAll)
    const search = page.getByRole('searchbox')
    if ((await search.count()) > 0) await search.fill('script')
    // Links to other sites are left out: only readers follow them.
    await page.evaluate('document.querySelectorAll(\'a:not([href^="#"])\').forEach((each) => each.remove())')
    await page.evaluate(touchAll)
    await page.evaluate('new Promise((done) => setTimeout(done, 300))')
    expect([requests, messages]).toEqual([[url], []])
    expect(await page.evaluate('window.attacked')).toBeUndefined()
  },
)

test('the security policy stops injected scripts', async () => {
  const { page, messages } = await watch(await writePage('injected', pages.everything()))
  await page.evaluate(`
    document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.attacked=1"><a id=bad href="javascript:window.attacked=1">x</a>')
    const script = document.createElement('script')
    script.textContent = 'window.attacked=1'
    document.body.append(script)
    document.getElementById('bad').click()
  `)
  await expect.poll(() => messages.length).toBeGreaterThanOrEqual(3)
  expect(await page.evaluate('window.attacked')).toBeUndefined()
})

/** Its width in pixels. */
const phone = 360

test.each([
  ['everything', 'light', 1280],
  ['everything', 'dark', phone],
  ['hostile', 'dark', 1280],
  ['nothing', 'light', 1280],
  ['comparison', 'light', 1280],
  ['comparison', 'dark', phone],
  ['matrix', 'dark', 1280],
  ['matrix', 'light', phone],
] as const)(
  'the page (%s, %s, %i pixels wide) fits, and axe finds no violation',
  async (name, colorScheme, width) => {
    const url = await writePage('axe', pages[name]())
    const page = await open('', { colorScheme, viewport: { width, height: 900 } }, url)
    await page.evaluate(openAll)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.evaluate(`${axe.source};undefined`)
    const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults
    const reported = found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 200))
          .join(' | ')}`,
    )
    expect(reported).toEqual([])
    expect(found.passes.length).toBeGreaterThan(20)
  },
)
